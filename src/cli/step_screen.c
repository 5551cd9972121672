/* The whole screen is drawn for each key. The terminal is put back however the tool ends. */
#include "cli/step_screen.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "names/text_name.h"
#include "report/paint.h"

#define ENTER_SCREEN "\033[?1049h"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"
#define CLEAR "\033[H\033[2J"

enum {
	MAX_FRAMES = 64,
	TAB = 8,
	HEAD_ROWS = 3,
	FOOT_ROWS = 2,
	MIN_ROWS = 8,
	CONTROL_C = 3,
	CONTROL_D = 4
};
enum { ESCAPE_WAIT = 30 }; /* ms */

static struct termios usual;

bool wm_step_screen_is_there(void)
{
	const char *terminal = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
	       strcmp(terminal, "dumb") != 0;
}

static void put_back(void)
{
	static const char leave[] = LEAVE_SCREEN;
	if (write(STDOUT_FILENO, leave, sizeof leave - 1) < 0)
		return;
	tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

static void end_by_signal(int number)
{
	put_back();
	signal(number, SIG_DFL);
	raise(number);
}

static void take_terminal(void)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};
	tcgetattr(STDIN_FILENO, &usual);
	struct termios raw = usual;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], end_by_signal);
	atexit(put_back);
	fputs(ENTER_SCREEN, stdout);
}

struct screen {
	struct wm_step *step;
	size_t width, rows;
	bool colour;
};

static void measure(struct screen *screen)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	screen->width = size.ws_col ? size.ws_col : 80;
	screen->rows = size.ws_row > MIN_ROWS ? size.ws_row : MIN_ROWS;
}

/* As much of the text as the columns hold. What is no character stands as a dot. */
static void print_cut(const char *text, size_t columns)
{
	for (size_t used = 0; *text; text++) {
		bool goes_on = (*text & 0xc0) == 0x80;
		size_t wide = *text == '\t' ? TAB - used % TAB : goes_on ? 0 : 1;
		if (used + wide > columns)
			break;
		if (*text == '\t')
			printf("%*s", (int)wide, "");
		else
			putchar((unsigned char)*text < ' ' || *text == 127 ? '.' : *text);
		used += wide;
	}
}

static void print_title(const struct screen *screen)
{
	char text[4096];
	struct wm_step *step = screen->step;
	snprintf(text, sizeof text, "line %" PRIu64 " of %" PRIu64 "  %s", step->at + 1,
		wm_trace_reading_count(step->reading), step->title);
	fputs(wm_paint(screen->colour, WM_PAINT_FAINT), stdout);
	print_cut(text, screen->width);
	printf("%s\n", wm_paint(screen->colour, WM_PAINT_PLAIN));
}

/* The innermost functions, as many as the line holds, the last at the end. */
static void print_stack(const struct screen *screen)
{
	struct wm_trace_reading_frame frames[MAX_FRAMES];
	const char *names[MAX_FRAMES];
	struct wm_step *step = screen->step;
	uint32_t depth = wm_trace_reading_stack(step->reading, step->at, frames, MAX_FRAMES);
	uint32_t held = depth < MAX_FRAMES ? depth : MAX_FRAMES, shown = 0;
	for (size_t used = 6; shown < held; shown++) {
		names[shown] =
			wm_text_short_name(step->arena, frames[shown].function->function->name);
		used += strlen(names[shown]) + 3;
		if (used > screen->width && shown > 0)
			break;
	}
	fputs(wm_paint(screen->colour, WM_PAINT_TITLE), stdout);
	if (shown < depth)
		fputs("... > ", stdout);
	for (uint32_t i = shown; i-- > 0;) {
		print_cut(names[i], screen->width);
		if (i)
			fputs(" > ", stdout);
	}
	printf("%s\n", wm_paint(screen->colour, WM_PAINT_PLAIN));
}

static void print_source(const struct screen *screen)
{
	struct wm_step *step = screen->step;
	const struct wm_trace_line line = *wm_trace_reading_line(step->reading, step->at);
	const char *file = wm_trace_line_file(&line);
	const struct wm_source_text *text = wm_sources_get(step->sources, file, NULL);
	size_t rows = screen->rows - HEAD_ROWS - FOOT_ROWS, half = rows / 2;
	size_t first = line.at->line > half ? line.at->line - half : 1;
	print_cut(file, screen->width);
	putchar('\n');
	for (size_t number = first; number < first + rows; number++) {
		bool here = number == line.at->line;
		if (text->lines ? number > text->line_count : !here) {
			putchar('\n');
			continue;
		}
		printf("%s%s%5zu  ", wm_paint(screen->colour && here, WM_PAINT_WARM),
			here ? ">" : " ", number);
		print_cut(text->lines ? text->lines[number - 1] : "the source is not here",
			screen->width > 8 ? screen->width - 8 : 0);
		printf("%s\n", wm_paint(screen->colour && here, WM_PAINT_PLAIN));
	}
}

static void draw(struct screen *screen)
{
	measure(screen);
	fputs(CLEAR, stdout);
	print_title(screen);
	print_stack(screen);
	print_source(screen);
	print_cut(screen->step->message, screen->width);
	putchar('\n');
	print_cut("n p over calls  s b into calls  u up  f finish  / \\ search  g G ends  ? keys  "
		  "q quit",
		screen->width);
	fflush(stdout);
}

/* What an arrow means: the characters behind the escape. */
static char read_arrow(void)
{
	char rest[16] = "";
	struct pollfd more = {.fd = STDIN_FILENO, .events = POLLIN};
	if (poll(&more, 1, ESCAPE_WAIT) != 1 || read(STDIN_FILENO, rest, sizeof rest) < 2)
		return '\033';
	switch (rest[1]) {
	case 'A':
		return 'p';
	case 'B':
		return 'n';
	case 'C':
		return 's';
	case 'D':
		return 'b';
	default:
		return '\033';
	}
}

/* A key; 0: none comes any more. */
static char read_key(void)
{
	char key;
	if (read(STDIN_FILENO, &key, 1) != 1 || key == CONTROL_C || key == CONTROL_D)
		return 0;
	return key == '\033' ? read_arrow() : key;
}

/* A line at the bottom, with the usual editing. Empty if it was given up. */
static void ask(const struct screen *screen, char prompt, char *text, size_t room)
{
	struct termios now, line = usual;
	size_t length;
	tcgetattr(STDIN_FILENO, &now);
	tcsetattr(STDIN_FILENO, TCSANOW, &line);
	printf("\033[%zu;1H\033[K%c", screen->rows, prompt);
	fflush(stdout);
	if (!fgets(text, (int)room, stdin))
		text[0] = 0;
	length = strcspn(text, "\n");
	text[length] = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

static void show_help(const struct screen *screen)
{
	fputs(CLEAR, stdout);
	for (int i = 0; wm_step_help[i]; i++) {
		print_cut(wm_step_help[i], screen->width);
		putchar('\n');
	}
	printf("\nany key goes back");
	fflush(stdout);
	read_key();
}

void wm_step_screen_run(struct wm_step *step)
{
	struct screen screen = {.step = step, .colour = wm_paint_wanted(stdout)};
	char text[4096];
	uint64_t times = 0;
	take_terminal();
	while (!step->ended) {
		draw(&screen);
		char key = read_key();
		text[0] = 0;
		if (key >= '0' && key <= '9' && times < UINT32_MAX) {
			times = 10 * times + (uint64_t)(key - '0');
			continue;
		}
		if (key == '/' || key == '\\')
			ask(&screen, key, text, sizeof text);
		if (key == '?')
			show_help(&screen);
		else
			wm_step_key(step, key ? key : 'q', times ? times : 1, text);
		times = 0;
	}
}
