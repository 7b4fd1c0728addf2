/*
 * A GPU made of host memory: addresses are pointers, queues hold commands until somebody waits for them, and a few
 * kernels are C functions. It detects what drivers forbid, such as freeing memory that a command still uses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_QUEUES 18

extern char machine_defect[256]; /* first breach of the driver's rules; "": none */
extern int machine_blocks;       /* number of blocks that are allocated, or registered by the caller */

/* A null device: kernels do nothing, and memory begins as zeros, so every metric runs, with meaningless scores. */
extern bool machine_null;

__attribute__((format(printf, 1, 2))) void machine_object(const char *format, ...);

uint64_t machine_alloc(size_t bytes);
void machine_free(uint64_t address);

/* Registers memory of the caller that commands may use until it is returned. */
void machine_lend(uint64_t address, size_t bytes);
void machine_return(uint64_t address);

/* Append commands to a queue, which executes them in order. A position is the number of commands appended so far. */
void machine_copy(int queue, uint64_t to, uint64_t from, size_t bytes);
void machine_fill(int queue, uint64_t to, size_t bytes, uint32_t word);
void machine_launch(int queue, const char *kernel, const void *args, size_t args_bytes, uint32_t x, uint32_t y,
                    uint32_t z);
void machine_after(int queue, int other, uint64_t position);
uint64_t machine_position(int queue);

/* Executes a queue up to a position, and the commands that these wait for. Returns false if another thread has lost
 * the device meanwhile. */
bool machine_run(int queue, uint64_t position);

/* Forgets the commands of a queue after a position. */
void machine_drop(int queue, uint64_t position);

/* Loses the device: commands that wait are never executed. */
void machine_lose(void);

/* Replaces the device by a new one, which forgets everything. null: the new one is a null device. */
void machine_reset(bool null);

/* Returns the size of a kernel's arguments in bytes, or 0 if there is no such kernel. */
size_t machine_args_bytes(const char *kernel);

/* Executes a kernel by its name. Returns false if there is no such kernel. */
bool machine_kernel(const char *kernel, const void *args, uint32_t x, uint32_t y, uint32_t z);
