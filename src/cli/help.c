/* The help texts in the table of commands are the only list of options for people. What else wants
 * to know them reads these texts, whose form is: two blanks, options or a word such as `status`,
 * two blanks or a line end, what they are for; lines that continue are indented further. */
#include "cli/help.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/general_options.h"
#include "report/terminal.h"

enum { INDENT = 2 };

static bool is_option_line(const char *line)
{
	return !strncmp(line, "  ", INDENT) && line[INDENT] != ' ';
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line != '\0');
}

/* Where the options of a line end: before two blanks. */
static size_t options_bytes(const char *line)
{
	size_t bytes = strcspn(line, "\n");
	for (size_t i = INDENT; i + 1 < bytes; i++)
		if (line[i] == ' ' && line[i + 1] == ' ')
			return i;
	return bytes;
}

/* The first part of what the options are for, with one blank for all white space. */
static void copy_about(const char *line, char *about, size_t room)
{
	size_t used = 0;
	for (const char *c = line + options_bytes(line); *c && used + 1 < room; c++) {
		bool ends = *c == '\n' && strncmp(c + 1, "   ", INDENT + 1) != 0;
		if (ends || strchr(";:(", *c))
			break;
		bool blank = *c == ' ' || *c == '\n';
		if (!blank || (used > 0 && about[used - 1] != ' '))
			about[used++] = blank ? ' ' : *c;
	}
	about[used - (used > 0 && about[used - 1] == ' ')] = '\0';
}

static void store_word(struct wm_help_option *option, const char *word)
{
	size_t bytes = strcspn(word, "=");
	snprintf(option->name, sizeof option->name, "%.*s", (int)bytes, word);
	snprintf(option->value, sizeof option->value, "%s", word[bytes] ? word + bytes + 1 : "");
}

/* An option may be followed by a word of its own: -o OUT.wmk. */
static size_t read_line(const char *line, struct wm_help_option *options, size_t count, size_t room)
{
	char text[256], *rest = text, *word;
	struct wm_help_option *last = NULL;
	snprintf(text, sizeof text, "%.*s", (int)options_bytes(line), line);
	while ((word = strsep(&rest, " "))) {
		if (*word == '-' && count < room) {
			last = &options[count++];
			store_word(last, word);
			copy_about(line, last->about, sizeof last->about);
		} else if (*word && *word != '|' && last) {
			snprintf(last->value, sizeof last->value, "%s", word);
		}
	}
	return count;
}

size_t wm_help_options(const char *help, struct wm_help_option *options, size_t room)
{
	size_t count = 0;
	for (const char *line = help; *line; line = next_line(line))
		if (is_option_line(line))
			count = read_line(line, options, count, room);
	return count;
}

/* Words in lines that are no wider than the terminal, nor than people like to read. */
struct flow {
	size_t column, indent;
};

static size_t widest_line(void)
{
	enum { BEARABLE = 100 };
	size_t width = wm_terminal_width(stdout);
	return width < BEARABLE ? width : BEARABLE;
}

static void print_word(struct flow *flow, const char *word, size_t bytes)
{
	bool first = flow->column == flow->indent;
	if (!first && flow->column + 1 + bytes > widest_line()) {
		printf("\n%*s", (int)flow->indent, "");
		flow->column = flow->indent;
	} else if (!first) {
		putchar(' ');
		flow->column++;
	}
	printf("%.*s", (int)bytes, word);
	flow->column += bytes;
}

static void print_words(struct flow *flow, const char *text, const char *end)
{
	while (text < end) {
		size_t bytes = strcspn(text, " \n");
		if (bytes > 0)
			print_word(flow, text, bytes);
		text += bytes + 1;
	}
	putchar('\n');
}

static const char *print_options(const char *line)
{
	enum { COLUMN = 28 };
	size_t bytes = options_bytes(line);
	const char *end = next_line(line);
	while (!strncmp(end, "   ", INDENT + 1))
		end = next_line(end);
	printf("%.*s%s%*s", (int)bytes, line, bytes + INDENT > COLUMN ? "\n" : "",
		bytes + INDENT > COLUMN ? COLUMN : COLUMN - (int)bytes, "");
	print_words(&(struct flow){COLUMN, COLUMN}, line + bytes, end);
	return end;
}

static const char *print_paragraph(const char *line)
{
	const char *end = line;
	while (*end && !is_option_line(end))
		end = next_line(end);
	print_words(&(struct flow){0, 0}, line, end);
	return end;
}

static void print_help_text(const char *line)
{
	while (*line)
		line = is_option_line(line) ? print_options(line) : print_paragraph(line);
}

static void print_command_line(const struct wm_command *command)
{
	enum { COLUMN = 14 };
	const char *summary = command->summary;
	printf("  %-*s", COLUMN - INDENT, command->name);
	print_words(&(struct flow){COLUMN, COLUMN}, summary, summary + strlen(summary));
}

void wm_help_print(void)
{
	puts("Waymark: exactly what a program did, by the fewest and coldest counters.\n\n"
	     "Usage: waymark COMMAND [ARGUMENT...]\n");
	for (size_t i = 0; i < wm_command_count; i++)
		print_command_line(&wm_commands[i]);
	puts("\nEvery command that prints takes:");
	print_help_text(wm_general_help);
	puts("\nStart here:  waymark cc -O2 -g -o app app.c && ./app && waymark report\n"
	     "More:        waymark help COMMAND, man waymark");
}

void wm_help_print_command(const struct wm_command *command)
{
	printf("waymark %s: %s\n\nUsage: waymark %s%s%s\n\n", command->name, command->summary,
		command->name, *command->usage ? " " : "", command->usage);
	print_help_text(command->help);
}

int wm_command_help(int argc, char **argv)
{
	if (argc > 2)
		wm_fatal_usage("help: name one command");
	if (argc == 2)
		wm_help_print_command(wm_command_find(argv[1]));
	else
		wm_help_print();
	return 0;
}
