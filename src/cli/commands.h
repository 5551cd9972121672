/* The commands: each takes its own name as argv[0] and returns the tool's exit status. */
#ifndef WM_CLI_COMMANDS_H
#define WM_CLI_COMMANDS_H

#include <stddef.h>

struct wm_command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	const char *usage; /* what follows the name */
	const char *help;  /* the options, a line each (cli/help.h) */
};

extern const struct wm_command wm_commands[];
extern const size_t wm_command_count;

/* The command of that name; ends the tool if there is none. */
const struct wm_command *wm_command_find(const char *name);

int wm_command_cc(int argc, char **argv);
int wm_command_cxx(int argc, char **argv);
int wm_command_report(int argc, char **argv);
int wm_command_cover(int argc, char **argv);
int wm_command_residual(int argc, char **argv);
int wm_command_paths(int argc, char **argv);
int wm_command_count_events(int argc, char **argv);
int wm_command_test(int argc, char **argv);
int wm_command_hpp(int argc, char **argv);
int wm_command_trace(int argc, char **argv);
int wm_command_wpp(int argc, char **argv);
int wm_command_tree(int argc, char **argv);
int wm_command_flame(int argc, char **argv);
int wm_command_export(int argc, char **argv);
int wm_command_path(int argc, char **argv);
int wm_command_diff(int argc, char **argv);
int wm_command_annotate(int argc, char **argv);
int wm_command_merge(int argc, char **argv);
int wm_command_run(int argc, char **argv);
int wm_command_tests(int argc, char **argv);
int wm_command_suspects(int argc, char **argv);
int wm_command_watch(int argc, char **argv);
int wm_command_store(int argc, char **argv);
int wm_command_pack(int argc, char **argv);
int wm_command_ctl(int argc, char **argv);
int wm_command_plan(int argc, char **argv);
int wm_command_doctor(int argc, char **argv);
int wm_command_segments(int argc, char **argv);
int wm_command_correlated(int argc, char **argv);
int wm_command_costs(int argc, char **argv);
int wm_command_superblocks(int argc, char **argv);
int wm_command_html(int argc, char **argv);
int wm_command_help(int argc, char **argv);
int wm_command_completion(int argc, char **argv);

#endif
