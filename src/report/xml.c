/* Marks become references; white space does, too, since attributes would make it blanks. */
#include "report/xml.h"

#include <stdbool.h>
#include <string.h>

#include "report/utf8.h"

/* U+FFFE and U+FFFF are no characters. */
static bool is_allowed(const unsigned char *text, size_t length)
{
	return length && text[0] >= ' ' && text[0] != 0x7f &&
	       !(text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe);
}

void wm_xml_put_text(const char *text, FILE *out)
{
	for (size_t length; *text; text += length ? length : 1) {
		length = wm_utf8_length(text);
		if (strchr("<>&\"'\t\n\r", *text))
			fprintf(out, "&#%d;", *text);
		else if (is_allowed((const unsigned char *)text, length))
			fwrite(text, 1, length, out);
		else
			fputs("\xef\xbf\xbd", out);
	}
}
