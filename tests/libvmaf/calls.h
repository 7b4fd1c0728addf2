/* Declarations shared by the files of test-libvmaf-calls. */
#pragma once

#include <math.h>

#include "libvmaf/libvmaf_cuda.h"
#include "picture.h"
#include "returns.h"
#include "tap/tap.h"

enum { WIDTH = 128, HEIGHT = 96 };

extern Tap tap;

/* Checks that a value is nearly the expected one. The last digits depend on the library's exponential function and
 * logarithm. */
#define NEAR(value, expected)                                                                                        \
    do {                                                                                                             \
        char why_[64];                                                                                               \
        snprintf(why_, sizeof why_, "it is %.17g", value);                                                           \
        tap_case(&tap, fabs((value) - (expected)) <= 1e-9 * fabs(expected), #value " is " #expected, why_);          \
    } while (0)

VmafContext *open_context(unsigned threads, unsigned subsample);
VmafModel *load(const char *version, const char *name, uint64_t flags);
VmafFeatureDictionary *options(const char *key, const char *value);

/* Allocates two pictures of 8-bit 4:2:0 and paints them by `number`. */
int alloc_pair(VmafPicture *ref, VmafPicture *dist, unsigned number);

/* Gives the context the pictures of alloc_pair() as pair `index`. */
int feed(VmafContext *context, unsigned index);

/* Ends the context's input. */
int flush(VmafContext *context);

/* Returns the path of a file in a folder that is removed when the program ends. The next call overwrites the text. */
const char *place(const char *name);

/* Defined in calls_objects.c: pictures, their pool, models, features, collections of models. */
void check_pictures(void);
void check_pool(void);
void check_models(void);
void check_features(void);
void check_collection(void);

/* Defined in calls_order.c: the order of calls, and arguments that do not fit. */
void check_order(void);
void check_twice(void); /* one picture as reference and distorted */
void check_empty(void);
void check_misfits(void);
void check_odd(void);
void check_cuda(void);

/* Defined in calls_reports.c. */
void check_reports(const char *recorded, bool record);

/* Defined in calls_threads.c. */
void check_contexts(void);
void check_shared(void);
void check_replaced(void);
