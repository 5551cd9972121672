/* The page as a whole. Markup, style and script are the same in every page; only blocks of data
 * differ. So the policy can name style and script by their hashes. */
#include "html/html.h"

#include <string.h>

#include "html/assets.h"
#include "html/block.h"
#include "html/compare.h"
#include "html/files.h"
#include "html/functions.h"
#include "html/graphs.h"
#include "html/tree.h"
#include "report/ending.h"
#include "report/json.h"
#include "report/profile_json.h"

static void write_lost(const struct wm_profile *profile, struct wm_json *json)
{
	wm_json_begin_array(json, "lost");
	for (uint32_t i = 0; i < profile->lost_count; i++)
		wm_json_text(json, NULL, profile->lost[i]);
	wm_json_end_array(json);
}

static void write_head(const struct wm_html_request *request, const struct wm_html_side *side,
	struct wm_json *json)
{
	const struct wm_profile *profile = side->profile;
	wm_json_text(json, "waymark", request->version);
	wm_json_text(json, "program", profile->object.path);
	wm_json_text(json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_text(json, "profile", profile->file.path);
	wm_json_number(json, "modified", (uint64_t)profile->file.modified);
	wm_json_number(json, "made", (uint64_t)request->now);
	wm_json_number(json, "runs", profile->file.runs);
	wm_ending_json(profile, json);
	wm_json_number(json, "instructions", profile->instructions);
	wm_json_number(json, "executed_functions", profile->executed_functions);
	wm_profile_json_objects(profile, json);
	write_lost(profile, json);
}

/* The block of a side: all but its files. */
static void write_side(const struct wm_html_request *request, const struct wm_html_side *side,
	struct wm_html_files *files, const char *id, FILE *out)
{
	struct wm_html_block block;
	wm_html_block_begin(&block);
	struct wm_json json = {.out = block.stream};
	wm_json_begin_object(&json, NULL);
	write_head(request, side, &json);
	wm_json_text(&json, "root", files->root);
	wm_html_functions_write(side, files, &json);
	wm_html_trees_write(side->profile, &json);
	if (request->with_graphs)
		wm_html_graphs_write(side, &json);
	wm_html_files_list(files, &json);
	wm_json_end_object(&json);
	wm_html_block_end(&block, id, out);
}

static void write_comparison(const struct wm_html_request *request, FILE *out)
{
	struct wm_html_block block;
	wm_html_block_begin(&block);
	struct wm_json json = {.out = block.stream};
	wm_html_compare_write(&request->sides[0], &request->sides[1], &json);
	wm_html_block_end(&block, "comparison", out);
}

static void write_markup(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'; script-src 'sha256-",
		out);
	wm_html_write_base64(wm_html_script_hash, sizeof wm_html_script_hash, out);
	fputs("'; style-src 'sha256-", out);
	wm_html_write_base64(wm_html_style_hash, sizeof wm_html_style_hash, out);
	fputs("'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<title>Waymark</title>\n<style>",
		out);
	fwrite(wm_html_style, 1, wm_html_style_bytes, out);
	fputs("</style>\n</head>\n", out);
	fwrite(wm_html_body, 1, wm_html_body_bytes, out);
}

int wm_html_write(const struct wm_html_request *request, FILE *out, struct wm_error *error)
{
	struct wm_arena arena = {0};
	struct wm_html_files files[2];
	struct wm_lines lines[2];
	int status = 0;
	for (size_t i = 0; i < request->side_count && status == 0; i++)
		status = wm_lines_count(&arena, request->sides[i].profile, &lines[i], error);
	if (status == 0)
		write_markup(out);
	for (size_t i = 0; i < request->side_count && status == 0; i++) {
		files[i] = wm_html_files_make(&arena, &request->sides[i], &lines[i]);
		write_side(request, &request->sides[i], &files[i], i == 0 ? "a" : "b", out);
	}
	for (size_t i = 0; i < request->side_count && status == 0; i++) {
		const struct wm_html_files *after =
			i + 1 < request->side_count ? &files[i + 1] : NULL;
		wm_html_files_write(
			&files[i], i == 0 ? "a-" : "b-", request->with_sources, after, out);
	}
	if (status == 0 && request->side_count == 2)
		write_comparison(request, out);
	if (status == 0) {
		fputs("<script type=\"module\">", out);
		fwrite(wm_html_script, 1, wm_html_script_bytes, out);
		fputs("</script>\n</body>\n</html>\n", out);
		for (size_t i = 0; i < request->side_count; i++)
			wm_html_files_free(&files[i]);
	}
	wm_arena_reset(&arena);
	return status;
}
