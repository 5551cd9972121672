/* SARIF 2.1.0, for GitHub code scanning and editors: a result per path that ran in the field and in no
 * test, at the branch where it departs from what tests did. The rule is its kind. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "export/coverage.h"
#include "report/json.h"
#include "report/path_form.h"
#include "report/place.h"
#include "report/text.h"

static const char *const about[WM_RESIDUAL_KINDS] = {"No test entered the function",
	"Tests entered the function, but its code was another",
	"The path has a line that no test ran",
	"A branch of the path never went this way in a test",
	"The path was tested in another copy of the same code",
	"Every branch of the path was tested, but never together",
	"The path was left early where no tested path comes in this way",
	"The path may not have run: threads were killed while they computed"};

static void write_text(struct wm_json *json, const char *key, const char *text)
{
	wm_json_begin_object(json, key);
	wm_json_text(json, "text", text);
	wm_json_end_object(json);
}

static void write_rules(struct wm_json *json)
{
	wm_json_begin_array(json, "rules");
	for (size_t i = 0; i < WM_RESIDUAL_KINDS; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "id", wm_residual_kind_words[i]);
		write_text(json, "shortDescription", about[i]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

/* Where the path departs; failing that, where it starts. */
static struct wm_place place_of(const struct wm_residual_row *row)
{
	const struct wm_function *function = row->function->function->function;
	struct wm_place place = {"", 0};
	if (row->departs && row->departure.block != WM_NONE) {
		const struct wm_block *block = &function->blocks[row->departure.block];
		for (uint32_t i = block->position_count; i-- > 0 && !place.line;) {
			const struct wm_position *at =
				&function->positions[block->first_position + i];
			if (at->line)
				place = (struct wm_place){
					function->scopes[at->scope].file, at->line};
		}
	}
	if (!place.line && row->path.block_count > 0)
		place = wm_place_of_block(function, row->path.blocks[0]);
	return place.line ? place : wm_place_of_function(function);
}

static void write_location(struct wm_json *json, const struct wm_place *place)
{
	wm_json_begin_array(json, "locations");
	wm_json_begin_object(json, NULL);
	wm_json_begin_object(json, "physicalLocation");
	wm_json_begin_object(json, "artifactLocation");
	wm_json_text(json, "uri", place->file);
	wm_json_end_object(json);
	if (place->line) {
		wm_json_begin_object(json, "region");
		wm_json_number(json, "startLine", place->line);
		wm_json_end_object(json);
	}
	wm_json_end_object(json);
	wm_json_end_object(json);
	wm_json_end_array(json);
}

static void write_result(struct wm_json *json, const struct wm_residual_row *row)
{
	struct wm_arena arena = {0};
	const struct wm_profile_function *function = row->function->function;
	const struct wm_profile_path *path = &row->path;
	const struct wm_path_map map = wm_path_map_make(&arena, function, NULL);
	const struct wm_place place = place_of(row);
	char *text, id[24];
	size_t bytes;
	FILE *message = open_memstream(&text, &bytes);
	fprintf(message, "%s: %s#%" PRIu64 " ran %s times in %s profiles of the field (%s)",
		about[row->kind], wm_text_short_name(&arena, function->function->name), path->id,
		wm_text_count(row->ran->count).text, wm_text_count(row->ran->samples).text,
		wm_path_form(&arena, &map, &path, 1, ", "));
	fclose(message);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "ruleId", wm_residual_kind_words[row->kind]);
	wm_json_text(json, "level",
		row->kind == WM_RESIDUAL_UNCERTAIN || row->kind == WM_RESIDUAL_COPY ? "note"
										    : "warning");
	write_text(json, "message", text);
	write_location(json, &place);
	snprintf(id, sizeof id, ":%" PRIu64, path->id);
	wm_json_begin_object(json, "partialFingerprints");
	char *name = wm_arena_alloc(&arena, strlen(function->function->name) + sizeof id, 1);
	strcat(strcpy(name, function->function->name), id);
	wm_json_text(json, "path/v1", name);
	wm_json_end_object(json);
	wm_json_end_object(json);
	free(text);
	wm_arena_reset(&arena);
}

void wm_export_sarif(const struct wm_residual *residual, const char *version, FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_object(&json, NULL);
	wm_json_text(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	wm_json_text(&json, "version", "2.1.0");
	wm_json_begin_array(&json, "runs");
	wm_json_begin_object(&json, NULL);
	wm_json_begin_object(&json, "tool");
	wm_json_begin_object(&json, "driver");
	wm_json_text(&json, "name", "waymark");
	wm_json_text(&json, "version", version);
	write_rules(&json);
	wm_json_end_object(&json);
	wm_json_end_object(&json);
	wm_json_begin_array(&json, "results");
	for (size_t i = 0; i < residual->row_count; i++)
		write_result(&json, &residual->rows[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
