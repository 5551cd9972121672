/* The commands: each takes its own name as argv[0] and returns the tool's exit status. */
#ifndef WM_CLI_COMMANDS_H
#define WM_CLI_COMMANDS_H

int wm_command_cc(int argc, char **argv);
int wm_command_cxx(int argc, char **argv);
int wm_command_report(int argc, char **argv);
int wm_command_paths(int argc, char **argv);
int wm_command_path(int argc, char **argv);
int wm_command_diff(int argc, char **argv);
int wm_command_annotate(int argc, char **argv);
int wm_command_merge(int argc, char **argv);
int wm_command_ctl(int argc, char **argv);
int wm_command_plan(int argc, char **argv);
int wm_command_doctor(int argc, char **argv);

#endif
