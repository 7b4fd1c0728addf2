/* Runs the parity tests or the kernel benchmark. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parity.h"

static int usage(void)
{
    fputs("usage: test-parity [--list | --bench [--csv | --json]] [--isa NAME] [--filter REGEX] "
          "[--seed NUMBER] [--share NUMBER]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"list", no_argument, NULL, 'l'},
        {"bench", no_argument, NULL, 'b'},
        {"csv", no_argument, NULL, 'c'},
        {"json", no_argument, NULL, 'j'},
        {"isa", required_argument, NULL, 'i'},
        {"filter", required_argument, NULL, 'f'},
        {"seed", required_argument, NULL, 's'},
        {"share", required_argument, NULL, 'n'},
        {0},
    };
    ParitySelection selection = {.seed = (uint64_t)time(NULL)};
    ParityStyle style = PARITY_TEXT;
    bool list = false, bench = false;
    for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (c == 'l')
            list = true;
        else if (c == 'b')
            bench = true;
        else if (c == 'c')
            style = PARITY_CSV;
        else if (c == 'j')
            style = PARITY_JSON;
        else if (c == 'i')
            selection.runner = optarg;
        else if (c == 'f')
            selection.filter = optarg;
        else if (c == 's')
            selection.seed = strtoull(optarg, NULL, 0);
        else if (c == 'n')
            selection.share = atoi(optarg);
        else
            return usage();
    }
    if (optind < argc || !parity_filter_good(selection.filter))
        return usage();
    return list ? parity_list(&selection) : bench ? parity_bench(&selection, style, stdout) : parity_test(&selection);
}
