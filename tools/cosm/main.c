// The program cosm: runs scenes and environments, shows what is in them, keeps, replays and
// compares their states, and writes new ones.
//
// What was asked for goes to stdout, progress, pictures and complaints to stderr.
#include "files.h"
#include "help.h"
#include "new.h"
#include "run.h"
#include "simulation.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static void list(void) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_desc *scene = scene_at(i);
        printf("%-10s %s\n", scene->name, scene->summary);
        printf("           --worlds %u", scene->defaults.world_count);
        if (scene->defaults.entity_count != 0) {
            printf(" --entities %u", scene->defaults.entity_count);
        }
        printf(" --steps %llu --seed %llu --placement %s\n",
               (unsigned long long)scene->default_steps, (unsigned long long)scene->defaults.seed,
               arguments_placement(scene->defaults.placement));
    }
    simulation_list_envs();
}

static void help(const struct arguments *arguments) {
    if (arguments->topic == ACTION_COUNT) {
        help_print(stdout);
    } else {
        help_print_command(arguments->topic, stdout);
    }
}

static int do_action(const struct arguments *arguments, const char *called) {
    switch (arguments->action) {
    case ACTION_RUN:
    case ACTION_SAVE:
    case ACTION_RECORD:
        return run_command(arguments);
    case ACTION_PLAN:
    case ACTION_SCHEMA:
    case ACTION_SHOW:
        return run_show(arguments);
    case ACTION_NEW:
        return new_write(arguments, called);
    case ACTION_REPLAY:
        return files_replay(arguments);
    case ACTION_INFO:
        return files_info(arguments);
    case ACTION_DIFF:
        return files_diff(arguments);
    case ACTION_DIVERGE:
        return files_diverge(arguments);
    case ACTION_LIST:
        list();
        break;
    case ACTION_HELP:
        help(arguments);
        break;
    case ACTION_VERSION:
        printf("cosm %s\n", cosm_version());
        break;
    }
    return EXIT_DONE;
}

int main(int argc, char **argv) {
    struct arguments arguments;
    if (!arguments_parse(&arguments, argc, argv)) {
        bool has_topic = arguments.topic != ACTION_COUNT;
        fprintf(stderr, "cosm: %s\nTry `cosm %s%s--help`.\n", arguments.problem,
                has_topic ? commands[arguments.topic].name : "", has_topic ? " " : "");
        return EXIT_USAGE;
    }
    int code = do_action(&arguments, argv[0]);
    // A full disk or a closed pipe must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cosm: the output could not be written\n");
        return EXIT_FAILED;
    }
    return code;
}
