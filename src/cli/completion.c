/* `waymark completion SHELL`: a script by which a shell completes commands, options and their
 * values. It is made from the help texts (cli/help.h), so it knows what they know. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/general_options.h"
#include "cli/help.h"

enum { MOST_OPTIONS = 64 };

struct options {
	struct wm_help_option list[MOST_OPTIONS];
	size_t count;
};

struct shell {
	const char *name;
	void (*print)(void);
};

/* The options of `waymark c++` are those of `waymark cc`. */
static const char *help_of(const struct wm_command *command)
{
	return strcmp(command->name, "c++") ? command->help : wm_command_find("cc")->help;
}

static bool is_compiler(const struct wm_command *command)
{
	return !strcmp(command->name, "cc") || !strcmp(command->name, "c++");
}

static struct options options_of(const struct wm_command *command)
{
	struct options options;
	options.count = wm_help_options(help_of(command), options.list, MOST_OPTIONS);
	if (!is_compiler(command))
		options.count += wm_help_options(wm_general_help, options.list + options.count,
			MOST_OPTIONS - options.count);
	return options;
}

/* a|b|c: words to choose from, not the name of something. */
static bool is_choice(const char *value)
{
	for (const char *c = value; *c; c++)
		if (!islower((unsigned char)*c) && *c != '|' && *c != '-')
			return false;
	return *value != '\0';
}

static bool is_file(const char *value)
{
	return strstr(value, ".wmk") || strstr(value, "PATH") || strstr(value, "FILE") ||
	       strstr(value, "PATTERN");
}

/* The words of a command's usage that are typed as they stand: status|dump|reset. */
static void choices_of_usage(const struct wm_command *command, char *choices, size_t room)
{
	char text[256], *rest = text, *word;
	*choices = '\0';
	snprintf(text, sizeof text, "%s", command->usage);
	while ((word = strsep(&rest, " ")))
		if (is_choice(word) && strchr(word, '|'))
			snprintf(choices, room, "%s", word);
	for (char *c = choices; *c; c++)
		*c = *c == '|' ? ' ' : *c;
}

static bool reads_profiles(const struct wm_command *command)
{
	return strstr(command->usage, ".wmk") != NULL;
}

static void print_command_names(const char *between)
{
	for (size_t i = 0; i < wm_command_count; i++)
		printf("%s%s", i ? between : "", wm_commands[i].name);
}

/* A value for each choice, or the name with a `=` after which something is to be typed. */
static void print_bash_option(const struct wm_help_option *option)
{
	char values[sizeof option->value], *rest = values, *value;
	snprintf(values, sizeof values, "%s", option->value);
	if (option->name[1] != '-' || !*values)
		printf(" %s", option->name);
	else if (!is_choice(values))
		printf(" %s=", option->name);
	else
		while ((value = strsep(&rest, "|")))
			printf(" %s=%s", option->name, value);
}

static void print_bash_command(const struct wm_command *command)
{
	char choices[256];
	struct options options = options_of(command);
	printf("\t%s)\n\t\toptions=\"", command->name);
	for (size_t i = 0; i < options.count; i++)
		print_bash_option(&options.list[i]);
	choices_of_usage(command, choices, sizeof choices);
	if (!strcmp(command->name, "help"))
		printf("\"\n\t\tchoices=$commands");
	else
		printf("\"\n\t\tchoices=\"%s\"", choices);
	printf("\n\t\tprofiles=%s\n\t\t;;\n", reads_profiles(command) ? "yes" : "");
}

static void print_bash(void)
{
	printf("# bash completion of waymark\n"
	       "_waymark()\n{\n"
	       "\tlocal word before commands options=\"\" choices=\"\" profiles=\"\" command each\n"
	       "\tbefore=\"${COMP_LINE:0:COMP_POINT}\"\n"
	       "\tword=\"${before##*[[:space:]]}\"\n"
	       "\tcommands=\"");
	print_command_names(" ");
	printf("\"\n"
	       "\tcommand=\"${COMP_WORDS[0]##*/}\"\n"
	       "\tcommand=\"${command#waymark}\"\n"
	       "\tcommand=\"${command#-}\"\n"
	       "\tif [ -z \"$command\" ]; then\n"
	       "\t\tfor each in ${before%%\"$word\"}; do\n"
	       "\t\t\tcase $each in */waymark | waymark | -*) ;; *) command=$each && break ;; "
	       "esac\n"
	       "\t\tdone\n"
	       "\tfi\n"
	       "\tcase $command in\n"
	       "\t\"\") options=\"--help --version\" choices=$commands ;;\n");
	for (size_t i = 0; i < wm_command_count; i++)
		print_bash_command(&wm_commands[i]);
	printf("\tesac\n"
	       "\tCOMPREPLY=()\n"
	       "\tcase $word in\n"
	       "\t-*=*)\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
	       "\t\t[ \"${COMPREPLY[*]}\" = \"${word%%%%=*}=\" ] && COMPREPLY=()\n"
	       "\t\t[ ${#COMPREPLY[@]} = 0 ] && mapfile -t COMPREPLY < <("
	       "compgen -f -P \"${word%%%%=*}=\" -- \"${word#*=}\")\n"
	       "\t\t# Bash takes the sign for the end of a word.\n"
	       "\t\t[[ $COMP_WORDBREAKS == *=* ]] && COMPREPLY=(\"${COMPREPLY[@]#*=}\")\n"
	       "\t\t;;\n"
	       "\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n"
	       "\t*)\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\"\n"
	       "\t\t\t[ -z \"$profiles\" ] || compgen -f -X '!*.wmk' -- \"$word\")\n"
	       "\t\t;;\n"
	       "\tesac\n"
	       "\tcase ${COMPREPLY[*]} in *=) compopt -o nospace ;; esac\n"
	       "}\n"
	       "complete -o default -F _waymark waymark waymark-cc waymark-c++\n");
}

/* For zsh within single quotes, brackets and colons have a meaning. */
static void print_escaped(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", stdout);
		else if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_zsh_option(const struct wm_help_option *option)
{
	char values[sizeof option->value];
	snprintf(values, sizeof values, "%s", option->value);
	for (char *c = values; is_choice(option->value) && *c; c++)
		*c = *c == '|' ? ' ' : *c;
	printf(" \\\n\t\t\t'*%s%s[", option->name,
		!*values		 ? ""
		: option->name[1] == '-' ? "="
					 : "");
	print_escaped(option->about, "[]:");
	putchar(']');
	if (is_choice(option->value))
		printf(":value:(%s)", values);
	else if (*values)
		printf(":value:%s", is_file(values) ? "_files" : "");
	putchar('\'');
}

static void print_zsh_command(const struct wm_command *command)
{
	char choices[256];
	struct options options = options_of(command);
	choices_of_usage(command, choices, sizeof choices);
	printf("\t%s)\n\t\t_arguments", command->name);
	for (size_t i = 0; i < options.count; i++)
		print_zsh_option(&options.list[i]);
	if (!strcmp(command->name, "help"))
		printf(" \\\n\t\t\t'1:command:(${commands%%%%:*})'");
	else if (*choices)
		printf(" \\\n\t\t\t'*:word:(%s)'", choices);
	else
		printf(" \\\n\t\t\t'*:file:_files%s'",
			reads_profiles(command) ? " -g \"*.wmk(-.)\"" : "");
	printf("\n\t\t;;\n");
}

static void print_zsh(void)
{
	printf("#compdef waymark waymark-cc waymark-c++\n"
	       "_waymark() {\n"
	       "\tlocal -a commands\n"
	       "\tcommands=(");
	for (size_t i = 0; i < wm_command_count; i++) {
		printf("\n\t\t'%s:", wm_commands[i].name);
		print_escaped(wm_commands[i].summary, "");
		putchar('\'');
	}
	printf(")\n"
	       "\tcase $service in\n"
	       "\twaymark-cc) words=(waymark cc ${words[2,-1]}) && (( CURRENT++ )) ;;\n"
	       "\twaymark-c++) words=(waymark c++ ${words[2,-1]}) && (( CURRENT++ )) ;;\n"
	       "\tesac\n"
	       "\tif (( CURRENT == 2 )); then\n"
	       "\t\t_describe command commands\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tshift words\n"
	       "\t(( CURRENT-- ))\n"
	       "\tcase $words[1] in\n");
	for (size_t i = 0; i < wm_command_count; i++)
		print_zsh_command(&wm_commands[i]);
	printf("\tesac\n"
	       "}\n"
	       "# Loaded by the completion system, or read by the user's own start file.\n"
	       "if [ \"${funcstack[1]}\" = _waymark ]; then\n"
	       "\t_waymark \"$@\"\n"
	       "else\n"
	       "\tcompdef _waymark waymark waymark-cc waymark-c++\n"
	       "fi\n");
}

static void print_fish_option(const struct wm_command *command, const struct wm_help_option *option)
{
	char values[sizeof option->value];
	snprintf(values, sizeof values, "%s", option->value);
	for (char *c = values; is_choice(option->value) && *c; c++)
		*c = *c == '|' ? ' ' : *c;
	bool is_long = option->name[1] == '-';
	printf("complete -c waymark -n '__fish_seen_subcommand_from %s' -%s %s -d '", command->name,
		is_long ? "l" : "s", option->name + (is_long ? 2 : 1));
	print_escaped(option->about, "");
	putchar('\'');
	if (is_choice(option->value))
		printf(" -x -a '%s'", values);
	else if (*values)
		printf(" -%s", is_file(values) ? "r" : "x");
	putchar('\n');
}

static void print_fish_command(const struct wm_command *command)
{
	char choices[256];
	struct options options = options_of(command);
	printf("complete -c waymark -n __fish_use_subcommand -f -a %s -d '", command->name);
	print_escaped(command->summary, "");
	printf("'\n");
	choices_of_usage(command, choices, sizeof choices);
	if (*choices)
		printf("complete -c waymark -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
			command->name, choices);
	for (size_t i = 0; i < options.count; i++)
		print_fish_option(command, &options.list[i]);
}

static void print_fish(void)
{
	puts("# fish completion of waymark");
	for (size_t i = 0; i < wm_command_count; i++)
		print_fish_command(&wm_commands[i]);
	printf("complete -c waymark -n '__fish_seen_subcommand_from help' -f -a '");
	print_command_names(" ");
	puts("'\ncomplete -c waymark-cc -w 'waymark cc'\ncomplete -c waymark-c++ -w 'waymark c++'");
}

static const struct shell shells[] = {
	{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

int wm_command_completion(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(argv[1], shells[i].name)) {
			shells[i].print();
			return 0;
		}
	wm_fatal_usage("completion: name a shell: bash, zsh or fish");
}
