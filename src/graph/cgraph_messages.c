/* cgraph hands a message over in pieces, to one function per process: hence the static text. */
#include "graph/cgraph_messages.h"

#include <string.h>

#include <graphviz/cgraph.h>

static char collected[512];

static int collect(char *piece)
{
	size_t used = strlen(collected);
	strncat(collected, piece, sizeof collected - 1 - used);
	return 0;
}

void wm_cgraph_messages_start(void)
{
	collected[0] = '\0';
	agseterr(AGERR);
	agseterrf(collect);
}

const char *wm_cgraph_messages_first(void)
{
	static const char prefix[] = "Error: ";
	collected[strcspn(collected, "\r\n")] = '\0';
	for (char *next = collected; *next; next++)
		if ((unsigned char)*next < ' ' || *next == 0x7f)
			*next = '?';
	if (strncmp(collected, prefix, sizeof prefix - 1) == 0)
		return collected + sizeof prefix - 1;
	return collected[0] ? collected : NULL;
}
