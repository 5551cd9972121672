/* The element is of a type that no browser executes. Base64 has no character that ends it. */
#include "html/block.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, MEMORY = 8, LEVEL = 5, BUFFER_BYTES = 3 << 14 };

void wm_html_write_base64(const unsigned char *bytes, size_t count, FILE *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < count; i += 3) {
		size_t left = count - i;
		unsigned group = (unsigned)bytes[i] << 16;
		group |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
		group |= left > 2 ? bytes[i + 2] : 0;
		const char text[4] = {digits[group >> 18], digits[group >> 12 & 63],
			left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '='};
		fwrite(text, 1, sizeof text, out);
	}
}

void wm_html_block_begin(struct wm_html_block *block)
{
	*block = (struct wm_html_block){.text = NULL};
	block->stream = open_memstream(&block->text, &block->bytes);
	if (!block->stream)
		abort();
}

/* Writes what deflate has made so far; whole groups of three bytes, so that no padding stands
 * inside. */
static void drain(z_stream *stream, unsigned char *buffer, int flush, FILE *out)
{
	int status;
	do {
		status = deflate(stream, flush);
		size_t filled = BUFFER_BYTES - stream->avail_out;
		if (stream->avail_out > 0 && status != Z_STREAM_END)
			break;
		wm_html_write_base64(buffer, filled, out);
		stream->next_out = buffer;
		stream->avail_out = BUFFER_BYTES;
	} while (status != Z_STREAM_END);
}

static void pack(const char *text, size_t bytes, FILE *out)
{
	enum { PIECE = 1 << 30 };
	unsigned char *buffer = malloc(BUFFER_BYTES);
	z_stream stream = {.next_out = buffer, .avail_out = BUFFER_BYTES};
	if (!buffer || deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY,
			       Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	for (size_t done = 0; done < bytes;) {
		size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
		stream.next_in = (unsigned char *)text + done;
		stream.avail_in = (unsigned)piece;
		drain(&stream, buffer, Z_NO_FLUSH, out);
		done += piece;
	}
	drain(&stream, buffer, Z_FINISH, out);
	deflateEnd(&stream);
	free(buffer);
}

void wm_html_block_end(struct wm_html_block *block, const char *id, FILE *out)
{
	fclose(block->stream);
	fprintf(out, "<script type=\"application/gzip\" id=\"%s\">", id);
	pack(block->text, block->bytes, out);
	fputs("</script>\n", out);
	free(block->text);
}
