/* Blocks of data in the page: JSON, packed with gzip, in base64. */
#ifndef WM_HTML_BLOCK_H
#define WM_HTML_BLOCK_H

#include <stdio.h>

struct wm_html_block {
	FILE *stream; /* takes the JSON */
	char *text;
	size_t bytes;
};

/* Begins a block. */
void wm_html_block_begin(struct wm_html_block *block);

/* Writes it as an element with this id, and gives its memory back. */
void wm_html_block_end(struct wm_html_block *block, const char *id, FILE *out);

/* Base64 of the bytes. */
void wm_html_write_base64(const unsigned char *bytes, size_t count, FILE *out);

#endif
