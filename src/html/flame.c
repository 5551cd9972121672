/* A box for each stack with those below it, upwards from what was called first; children stand side
 * by side on their parent, by name. All widths are parts of the whole, so boxes are as exact as
 * their numbers, and stretch with the window. A box is an SVG in the SVG: that cuts its text at its
 * edge. The script (flame/script.js) only moves what is there, so that the graph is complete
 * without it. */
#include "html/flame.h"

#include <inttypes.h>

#include "core/base/none.h"
#include "export/stacks.h"
#include "html/assets.h"
#include "report/text.h"
#include "report/xml.h"

enum { HEAD = 66, ROW = 17, WIDTH = 1200, MIN_TEXT = 20 };

struct flame {
	struct wm_arena scratch;
	const struct wm_export_data *data;
	const struct wm_flame_request *request;
	struct wm_stacks stacks;
	const uint64_t *own, *sums; /* by stack */
	uint64_t *from;		    /* by stack: what stands left of it */
	uint32_t *depth;	    /* by stack; 1: on the box of all */
	uint32_t deepest;
	uint64_t left_out;
	uint64_t total;
	FILE *out;
};

static bool is_shown(const struct flame *flame, uint32_t stack)
{
	return flame->sums[stack] &&
	       (double)flame->sums[stack] >= flame->request->min * (double)flame->total;
}

static void place_children(struct flame *flame, const struct wm_stack_children *children,
	uint32_t parent, uint64_t from, uint32_t depth)
{
	for (uint32_t i = children->start[parent]; i < children->start[parent + 1]; i++) {
		uint32_t stack = children->list[i];
		flame->from[stack] = from;
		flame->depth[stack] = depth;
		from += flame->sums[stack];
		if (is_shown(flame, stack) && depth > flame->deepest)
			flame->deepest = depth;
		flame->left_out += flame->sums[stack] && !is_shown(flame, stack);
	}
}

static void place(struct flame *flame)
{
	uint32_t count = flame->stacks.count;
	struct wm_stack_children children = wm_stacks_children(&flame->scratch, &flame->stacks);
	flame->from = wm_arena_alloc(&flame->scratch, count, sizeof *flame->from);
	flame->depth = wm_arena_alloc(&flame->scratch, count, sizeof *flame->depth);
	place_children(flame, &children, count, 0, 1);
	for (uint32_t i = 0; i < count; i++)
		place_children(flame, &children, i, flame->from[i], flame->depth[i] + 1);
}

struct box {
	const char *name;
	const struct wm_frame *frame; /* NULL: the box of all */
	uint64_t from, total, own;
	uint32_t depth;
};

/* Warm colours, one for each name; inlined calls are green, what is no function grey. */
static void put_colour(const struct flame *flame, const struct box *box)
{
	uint32_t hash = 2166136261u;
	for (const char *next = box->name; *next; next++)
		hash = (hash ^ (unsigned char)*next) * 16777619u;
	if (!box->frame || box->frame->part == WM_NONE)
		fputs("#ddd", flame->out);
	else
		fprintf(flame->out, "hsl(%" PRIu32 ",%" PRIu32 "%%,%" PRIu32 "%%)",
			(box->frame->inlined ? 90 : 20) + hash % 40, 70 + hash / 40 % 20,
			68 + hash / 800 % 12);
}

static void put_title(const struct flame *flame, const struct box *box)
{
	fputs("<title>", flame->out);
	wm_xml_put_text(box->name, flame->out);
	fprintf(flame->out, ": %s %s, %s; itself %s", wm_text_count(box->total).text,
		wm_metric_texts[flame->request->metric].name,
		wm_text_share(box->total, flame->total).text, wm_text_count(box->own).text);
	if (box->frame && box->frame->inlined)
		fputs(" (inlined)", flame->out);
	if (box->frame && box->frame->file[0]) {
		fputs("&#10;", flame->out);
		wm_xml_put_text(box->frame->file, flame->out);
		if (box->frame->line)
			fprintf(flame->out, ":%" PRIu32, box->frame->line);
	}
	fputs("</title>", flame->out);
}

static void write_box(const struct flame *flame, const struct box *box)
{
	double whole = (double)flame->total;
	bool is_thin = (double)box->total / whole * WIDTH < MIN_TEXT;
	fprintf(flame->out,
		"<svg class=\"box%s\" x=\"%.6f%%\" y=\"%" PRIu32 "\" width=\"%.6f%%\" height=\"%d\""
		" data-from=\"%" PRIu64 "\" data-total=\"%" PRIu64 "\" data-own=\"%" PRIu64
		"\" data-depth=\"%" PRIu32 "\">",
		is_thin ? " thin" : "", 100 * (double)box->from / whole,
		HEAD + (flame->deepest - box->depth) * ROW, 100 * (double)box->total / whole,
		ROW - 1, box->from, box->total, box->own, box->depth);
	put_title(flame, box);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"", flame->out);
	put_colour(flame, box);
	fputs("\"/><text x=\"3\" y=\"12\">", flame->out);
	wm_xml_put_text(box->name, flame->out);
	fputs("</text></svg>\n", flame->out);
}

static void write_boxes(const struct flame *flame)
{
	const struct box all = {.name = "all", .total = flame->total};
	write_box(flame, &all);
	for (uint32_t i = 0; i < flame->stacks.count; i++) {
		const struct wm_frame *frame = &flame->stacks.frames[flame->stacks.list[i].frame];
		const struct box box = {frame->name, frame, flame->from[i], flame->sums[i],
			flame->own[i], flame->depth[i]};
		if (is_shown(flame, i))
			write_box(flame, &box);
	}
}

static void write_head(const struct flame *flame)
{
	const char *metric = wm_metric_texts[flame->request->metric].name;
	FILE *out = flame->out;
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRIu32 "\">\n",
		WIDTH, HEAD + (flame->deepest + 1) * ROW);
	fprintf(out, "<!-- waymark %s -->\n<style>", flame->request->version);
	fwrite(wm_flame_style, 1, wm_flame_style_bytes, out);
	fputs("</style>\n<rect id=\"ground\" width=\"100%\" height=\"100%\"/>\n"
	      "<text id=\"heading\" x=\"8\" y=\"20\">",
		out);
	wm_xml_put_text(flame->data->parts[0].name, out);
	fprintf(out, ": %s by who called whom</text>\n<text x=\"8\" y=\"38\" id=\"note\">", metric);
	fprintf(out, "%s %s", wm_text_count(flame->total).text, metric);
	if (flame->left_out)
		fprintf(out, "; %s stacks with less than %g%% are not drawn",
			wm_text_count(flame->left_out).text, 100 * flame->request->min);
	fputs("</text>\n<text id=\"about\" x=\"8\" y=\"56\"></text>\n", out);
}

static void write_document(const struct flame *flame)
{
	write_head(flame);
	write_boxes(flame);
	fputs("<script><![CDATA[\n", flame->out);
	fwrite(wm_flame_script, 1, wm_flame_script_bytes, flame->out);
	fputs("]]></script>\n</svg>\n", flame->out);
}

void wm_flame_write(
	const struct wm_export_data *data, const struct wm_flame_request *request, FILE *out)
{
	struct flame flame = {.data = data,
		.request = request,
		.stacks = wm_stacks_make(data, false),
		.total = data->total[request->metric],
		.out = out};
	flame.own = flame.stacks.own[request->metric];
	flame.sums = wm_stacks_sums(&flame.scratch, &flame.stacks, flame.own);
	place(&flame);
	write_document(&flame);
	wm_arena_reset(&flame.scratch);
}
