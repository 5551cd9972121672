/* They are taken before a command reads its own options. Colours are decided before the pager
 * starts, while standard output is still the terminal. */
#include "cli/general_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/pager.h"
#include "report/paint.h"

const char wm_general_help[] =
	"  --color=auto|always|never\n"
	"                            colours: on a terminal unless NO_COLOR is set (auto)\n"
	"  --no-pager                print long output on a terminal as it is\n";

static enum wm_paint_choice color_choice(const char *word)
{
	static const char *const words[] = {
		[WM_PAINT_AUTO] = "auto",
		[WM_PAINT_ALWAYS] = "always",
		[WM_PAINT_NEVER] = "never",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(word, words[i]))
			return (enum wm_paint_choice)i;
	wm_fatal_usage("--color='%s' is unknown: use auto, always or never", word);
}

static bool no_pager;

static bool take(const char *argument)
{
	static const char color[] = "--color";
	size_t bytes = sizeof color - 1;
	if (!strcmp(argument, "--no-pager"))
		no_pager = true;
	else if (!strncmp(argument, color, bytes) && argument[bytes] == '=')
		wm_paint_choose(color_choice(argument + bytes + 1));
	else if (!strcmp(argument, color))
		wm_fatal_usage("--color needs a value: --color=auto, always or never");
	else
		return false;
	return true;
}

int wm_general_options_take(int argc, char **argv)
{
	int kept = 0;
	bool ended = false;
	for (int i = 0; i < argc; i++) {
		ended |= !strcmp(argv[i], "--");
		if (ended || !take(argv[i]))
			argv[kept++] = argv[i];
	}
	argv[kept] = NULL;
	return kept;
}

void wm_general_options_page(void)
{
	if (no_pager)
		return;
	wm_paint_choose(wm_paint_wanted(stdout) ? WM_PAINT_ALWAYS : WM_PAINT_NEVER);
	wm_pager_start();
}
