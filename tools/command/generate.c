/*
 * fovea generate: prints the man page and the shell completions for the build, and the devices for the completions.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/man.h"
#include "cli/message.h"
#include "cli/options.h"
#include "fovea/fovea.h"
#include "fovea/param.h"
#include "json.h"

/* Prints the built-in models of VMAF, which are the choices of its option `version`. */
static void print_models(void)
{
    for (int m = 0; m < fv_metric_count(); m++)
        for (int i = 0; !strcmp(fv_metric_info(m)->name, "vmaf") && i < fv_metric_info(m)->option_count; i++) {
            const FvOptionInfo *option = &fv_metric_info(m)->options[i];
            for (int k = 0; !strcmp(option->name, "version") && option->choices[k]; k++)
                printf(" %s%s", strcmp(option->choices[k], "auto") ? "version=" : "", option->choices[k]);
        }
}

/* Prints the values of --device on this machine. */
static FvStatus print_devices(void)
{
    FvDeviceList *list = NULL;
    FvError error = {0};
    FvStatus status = fv_devices_list(&list, &error);
    fputs("auto all", stdout);
    for (int i = 0; i < fv_devices_count(list); i++)
        if (fv_devices_info(list, i)->usable)
            printf(" %s", fv_devices_info(list, i)->name);
    putchar('\n');
    fv_devices_close(&list);
    return report_error_if(status, &error);
}

/*
 * Prints the values that a shell offers for an option, each after a blank. For devices, prints a command that the
 * shell runs when it needs them.
 */
static void print_offers(const ArgOption *option)
{
    static const char *const fixed[] = {
        [OFFER_DEVICES] = " $(fovea generate devices 2>/dev/null)",
        [OFFER_CONVERSIONS] = " all range matrix chroma depth rgb",
        [OFFER_SCALES] = " dis ref display",
    };
    if (option->choices && !option->fixed)
        for (int i = 0; option->choices[i]; i++)
            printf(" %s", option->choices[i]);
    if (option->offer == OFFER_MODELS) {
        print_models();
        fputs(" path=", stdout);
    }
    if (option->offer >= OFFER_DEVICES)
        fputs(fixed[option->offer], stdout);
    for (int m = 0; m < fv_metric_count(); m++) {
        const FvMetricInfo *metric = fv_metric_info(m);
        if (option->offer == OFFER_METRICS)
            printf(" %s", metric->name);
        for (int i = 0; option->offer == OFFER_OUTPUTS && i < metric->output_count; i++)
            printf(" %s%s", metric->outputs[i].name, strchr(option->value, '=') ? "=" : "");
    }
}

static bool has_offers(const ArgOption *option)
{
    return (option->choices && !option->fixed) || option->offer >= OFFER_METRICS;
}

static void print_command_names(const char *blank)
{
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden)
            printf("%s%s", i ? blank : "", commands[i]->name);
}

/* Returns whether the option accepts several values with commas between them. */
static bool is_joined(const ArgOption *option)
{
    return option->offer == OFFER_METRICS || option->offer == OFFER_DEVICES || option->offer == OFFER_CONVERSIONS;
}

static void print_metric_names(void)
{
    for (int m = 0; m < fv_metric_count(); m++)
        printf(" %s", fv_metric_info(m)->name);
}

/* Prints for bash the arguments of `fovea metrics` and `fovea help` that are not options. */
static void print_bash_arguments(void)
{
    printf("        case $command in\n        metrics)\n            COMPREPLY=($(compgen -W \"");
    print_metric_names();
    printf("\" -- \"$word\"))\n            return ;;\n"
           "        help)\n            [ \"$COMP_CWORD\" -eq 2 ] && COMPREPLY=($(compgen -W \"");
    print_command_names(" ");
    printf("\" -- \"$word\"))\n            return ;;\n        esac\n");
}

/* Prints the completion for bash: one case for each command's option list, one for each option's values. */
static void print_bash(void)
{
    printf("_fovea_words()\n{\n"
           "    local command=${COMP_WORDS[1]}\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    print_command_names(" ");
    printf(" help --help --version\" -- \"$word\"))\n        return\n    fi\n    case $command:$last in\n");
    for (int c = 0; c < command_count; c++) {
        const Command *command = commands[c];
        for (const ArgOption *option = NULL; !command->hidden && (option = arg_next(command, option));) {
            if (!option->value)
                continue;
            printf("    %s:--%s", command->name, option->name);
            if (option->letter)
                printf(" | %s:-%c", command->name, option->letter);
            if (option->offer == OFFER_FILES)
                printf(")\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n");
            else {
                const bool joined = is_joined(option);
                printf(")\n        COMPREPLY=($(compgen %s-W \"", joined ? "-P \"${word%\"${word##*,}\"}\" " : "");
                print_offers(option);
                printf("\" -- \"${word%s}\"))\n", joined ? "##*," : "");
            }
            printf("        return ;;\n");
        }
    }
    printf("    esac\n    if [[ $word != -* ]]; then\n");
    print_bash_arguments();
    printf(
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n        return\n    fi\n    case $command in\n");
    for (int c = 0; c < command_count; c++) {
        if (commands[c]->hidden)
            continue;
        printf("    %s)\n        COMPREPLY=($(compgen -W \"--help", commands[c]->name);
        for (const ArgOption *option = NULL; (option = arg_next(commands[c], option));)
            printf(" --%s", option->name);
        printf("\" -- \"$word\")) ;;\n");
    }
    printf("    esac\n}\n"
           "# bash takes = and : as words of their own: they are joined with their neighbours, and replies begin "
           "behind them.\n"
           "_fovea()\n{\n"
           "    local i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} last\n"
           "    COMPREPLY=()\n"
           "    while [[ $i -gt 2 && ( ${COMP_WORDS[i]} == [=:] || ${COMP_WORDS[i-1]} == [=:] ) ]]; do\n"
           "        word=${COMP_WORDS[--i]}$word\n"
           "    done\n"
           "    last=${COMP_WORDS[i-1]}\n"
           "    local joined=${word%%\"${word##*[=:]}\"}\n"
           "    if [[ $word == --*=* ]]; then\n"
           "        last=${word%%%%=*} word=${word#*=} joined=${joined#*=}\n"
           "    fi\n"
           "    _fovea_words\n"
           "    COMPREPLY=(\"${COMPREPLY[@]#\"$joined\"}\")\n"
           "    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
           "}\ncomplete -o filenames -F _fovea fovea\n");
}

/*
 * Prints a text for use inside '...' of a shell, with a backslash before each character in `masked`: zsh's specs need
 * brackets and colons escaped.
 */
static void print_quoted(const char *text, const char *masked)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else {
            if (strchr(masked, *text))
                putchar('\\');
            putchar(*text);
        }
    }
}

static void print_zsh_option(const ArgOption *option)
{
    bool again = option->kind == ARG_LIST;
    for (int form = 0; form < 2; form++) {
        if (form && !option->letter)
            break;
        printf(" \\\n            '%s", again ? "*" : "");
        if (form)
            printf("-%c", option->letter);
        else
            printf("--%s%s", option->name, option->value ? "=" : "");
        printf("[");
        print_quoted(option->help, "[]:\\");
        printf("]");
        if (option->value) {
            printf(":");
            print_quoted(option->name, "[]:\\");
            printf(":");
            if (option->offer == OFFER_FILES)
                printf("_files");
            else if (has_offers(option)) {
                printf(is_joined(option) ? "_sequence compadd -" : "(");
                print_offers(option);
                printf(is_joined(option) ? "" : ")");
            }
        }
        printf("'");
    }
}

static void print_zsh(void)
{
    printf("#compdef fovea\n_fovea()\n{\n    local -a commands=(\n");
    for (int c = 0; c < command_count; c++)
        if (!commands[c]->hidden) {
            printf("        '%s:", commands[c]->name);
            print_quoted(commands[c]->summary, ":\\");
            printf("'\n");
        }
    printf("        'help:explain a command'\n    )\n"
           "    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n"
           "    help)\n        (( CURRENT > 2 )) || _describe command commands ;;\n");
    for (int c = 0; c < command_count; c++) {
        if (commands[c]->hidden)
            continue;
        printf("    %s)\n        _arguments '--help[show help]'", commands[c]->name);
        for (const ArgOption *option = NULL; (option = arg_next(commands[c], option));)
            print_zsh_option(option);
        if (!strcmp(commands[c]->name, "metrics")) {
            printf(" \\\n            '*:metric:(");
            print_metric_names();
            printf(")' ;;\n");
        } else
            printf(" \\\n            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_fovea \"$@\"\n");
}

static void print_fish(void)
{
    printf("# Offers words behind the last comma of the word that is typed.\n"
           "function __fovea_list\n"
           "    set -l typed (string replace -r -- '^-[^=]*=' '' (commandline -ct))\n"
           "    printf '%%s\\n' (string match -r -- '^(?:.*,)?' \"$typed\")$argv\n"
           "end\n"
           "complete -c fovea -n __fish_use_subcommand -f\n"
           "complete -c fovea -n __fish_use_subcommand -a help -d 'explain a command'\n"
           "complete -c fovea -n '__fish_seen_subcommand_from help' -f -a '");
    print_command_names(" ");
    printf("'\ncomplete -c fovea -n '__fish_seen_subcommand_from metrics' -f -a '");
    print_metric_names();
    printf("'\n");
    for (int c = 0; c < command_count; c++) {
        const Command *command = commands[c];
        if (command->hidden)
            continue;
        printf("complete -c fovea -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary, "");
        printf("'\n");
        for (const ArgOption *option = NULL; (option = arg_next(command, option));) {
            printf("complete -c fovea -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
            if (option->letter)
                printf(" -s %c", option->letter);
            if (option->value)
                printf(option->offer == OFFER_FILES ? " -r -F" : " -x");
            if (option->offer == OFFER_DEVICES)
                printf(" -a '(__fovea_list (string split \" \" (fovea generate devices 2>/dev/null)))'");
            else if (is_joined(option)) {
                printf(" -a '(__fovea_list");
                print_offers(option);
                printf(")'");
            } else if (has_offers(option)) {
                printf(" -a '");
                print_offers(option);
                printf("'");
            }
            printf(" -d '");
            print_quoted(option->help, "\\");
            printf("'\n");
        }
    }
}

/* ---- The parameters of a run ----------------------------------------------------------------------------------- */

static void write_texts(FvJson *json, const char *key, const char *const *texts)
{
    fv_json_open(json, key, '[');
    for (; texts && *texts; texts++)
        fv_json_text(json, NULL, *texts);
    fv_json_close(json);
}

/* Writes the option of every command that sets the parameter. */
static void write_options(FvJson *json, const FvParamInfo *info)
{
    fv_json_open(json, "options", '{');
    for (int c = 0; c < command_count; c++) {
        bool any = false;
        for (const ArgOption *option = NULL; (option = arg_next(commands[c], option));) {
            if (option->kind != ARG_PARAM || option->row != info)
                continue;
            if (!any)
                fv_json_open(json, commands[c]->name, '{');
            any = true;
            fv_json_text(json, option->name, option->param);
        }
        if (any)
            fv_json_close(json);
    }
    fv_json_close(json);
}

/* Prints the table of fovea/param.h. scripts/params makes pages and stubs from it, and tests try every row. */
static void print_params(void)
{
    static const char *const types[] = {"bool", "int", "real", "text", "path"};
    static const char *const sides[] = {"run", "each", "both", "all"};
    FvJson json = {.file = stdout};
    fv_json_open(&json, NULL, '[');
    for (int i = 0; i < fv_param_count(); i++) {
        const FvParamInfo *info = fv_param_info(i);
        const FvOptionInfo *row = &info->option;
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "name", row->name);
        fv_json_text(&json, "alias", row->alias);
        fv_json_text(&json, "type", types[row->type]);
        fv_json_real(&json, "minimum", row->minimum);
        fv_json_real(&json, "maximum", row->maximum);
        fv_json_text(&json, "unit", row->unit);
        write_texts(&json, "choices", row->choices);
        write_texts(&json, "examples", info->examples);
        fv_json_text(&json, "form", info->form);
        fv_json_text(&json, "sides", sides[info->sides]);
        fv_json_int(&json, "tasks", info->tasks);
        fv_json_text(&json, "section", info->section);
        fv_json_bool(&json, "repeats", info->repeats);
        fv_json_text(&json, "help", row->help);
        write_options(&json, info);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    putchar('\n');
}

static int run(const void *values, const ArgList *words)
{
    const char *what = words->count == 1 ? words->items[0] : "";
    if (!strcmp(what, "man"))
        man_print(stdout);
    else if (!strcmp(what, "bash"))
        print_bash();
    else if (!strcmp(what, "zsh"))
        print_zsh();
    else if (!strcmp(what, "fish"))
        print_fish();
    else if (!strcmp(what, "devices"))
        return print_devices();
    else if (!strcmp(what, "params"))
        print_params();
    else
        return report_error(FV_ERROR_USAGE, "fovea generate takes one of man, bash, zsh, fish, devices and params");
    return EXIT_OK;
}

static const ArgOption options[] = {
    {ROW_PROGRESS(0), .section = "Output"},
    {.name = NULL},
};

const Command command_generate = {
    .name = "generate",
    .summary = "print the man page or the completions of a shell",
    .synopsis = "man|bash|zsh|fish|devices|params",
    .description = "Prints the man page or the completions of a shell, made from the tables of the commands, the "
                   "devices of this machine for a completion, or the parameters of a run as JSON.",
    .options = options,
    .values_size = sizeof(const char *),
    .run = run,
    .hidden = true,
};
