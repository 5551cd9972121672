#include "cli/hpp_study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/hpp_load.h"
#include "cli/hpp_run.h"
#include "cli/whole_file.h"
#include "profile/hpp_words.h"
#include "report/hpp_study_view.h"
#include "study/edges.h"

struct result {
	int status;
	const char *program;
	const char *file; /* of the command's profile, or NULL */
};

/* Sends all branches to the sink. */
static struct result feed(
	struct wm_arena *arena, struct wm_hpp_study *study, const struct wm_stream_sink *sink)
{
	struct result result = {0, study->read, NULL};
	struct wm_mapped_code map;
	if (study->words) {
		struct wm_hpp_run run = wm_hpp_run(arena, study->words, &study->settings,
			study->profile, study->children, sink);
		return (struct result){run.status, study->words[0], run.file};
	}
	struct wm_hpp_file file = wm_hpp_file_load(study->read);
	if (wm_hpp_file_is_profile(&file))
		wm_fatal("hpp: %s: a .wmh file does not keep the order of execution: give a command, or "
			 "branches as text",
			study->read);
	wm_hpp_file_stream(arena, study->read, &file, sink, &map);
	wm_mapped_code_close(&map);
	free(file.bytes);
	return result;
}

static void require(const char *wrong)
{
	if (wrong)
		wm_fatal("hpp: %s", wrong);
}

static int show_figures(struct wm_arena *arena, struct wm_hpp_study *study)
{
	static struct wm_figures figures;
	study->settings.modelled = true;
	wm_figures_init(&figures, &study->settings);
	struct wm_stream_sink sink = wm_figures_sink(&figures);
	struct result result = feed(arena, study, &sink);
	require(wm_figures_finish(&figures));
	if (study->json)
		wm_figures_json(&figures, result.program, study->out);
	else
		wm_figures_print(&figures, study->out);
	wm_figures_free(&figures);
	return result.status;
}

static int show_sweep(struct wm_arena *arena, struct wm_hpp_study *study)
{
	static struct wm_sweep sweep;
	bool factorial = study->kind == WM_HPP_FACTORIAL;
	if (!factorial)
		wm_sweep_settings(&study->settings);
	wm_sweep_init(&sweep, &study->settings, factorial);
	struct wm_stream_sink sink = wm_sweep_sink(&sweep);
	struct result result = feed(arena, study, &sink);
	require(wm_sweep_finish(&sweep));
	if (study->json)
		wm_sweep_json(&sweep, result.program, study->out);
	else
		wm_sweep_print(&sweep, study->out);
	wm_sweep_free(&sweep);
	return result.status;
}

static int show_phases(struct wm_arena *arena, struct wm_hpp_study *study)
{
	static struct wm_phases phases;
	struct wm_whole_file file;
	wm_phases_init(&phases, &study->settings);
	struct wm_stream_sink sink = wm_phases_sink(&phases);
	struct result result = feed(arena, study, &sink);
	require(wm_phases_finish(&phases));
	if (study->kind == WM_HPP_PHASES) {
		wm_phases_print(&phases, study->out);
	} else {
		wm_whole_file_begin(&file, study->to);
		wm_windows_write_simpoint(study->kind == WM_HPP_EXPORT_SIMPOINT ? &phases.by_path
										 : &phases.by_block,
			file.stream);
		wm_whole_file_end(&file);
	}
	wm_phases_free(&phases);
	return result.status;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const struct wm_hpp_object *program_of(const struct wm_hpp_profile *profile)
{
	for (uint64_t i = 0; i < profile->objects; i++)
		if (strcmp(base_name(wm_hpp_object_name(profile, &profile->object[i])),
			    base_name(profile->program)) == 0)
			return &profile->object[i];
	return NULL;
}

static int export_bolt(struct wm_arena *arena, struct wm_hpp_study *study)
{
	struct wm_edges edges = {.edge = NULL};
	struct wm_stream_sink sink = wm_edges_sink(&edges);
	struct wm_hpp_live live;
	struct wm_hpp_profile profile;
	struct wm_whole_file file;
	if (!study->words)
		wm_fatal_usage("hpp: --export=bolt is of a command: its addresses are a program's");
	study->settings.modelled = true; /* mispredictions */
	struct result result = feed(arena, study, &sink);
	if (!result.file)
		return result.status;
	wm_hpp_load(arena, result.file, &study->settings, &live, &profile);
	const struct wm_hpp_object *object = program_of(&profile);
	if (!object)
		wm_fatal("hpp: no code of '%s' ran", profile.program);
	wm_whole_file_begin(&file, study->to);
	wm_edges_write_bolt(&edges, &profile, object, file.stream);
	wm_whole_file_end(&file);
	wm_edges_free(&edges);
	return result.status;
}

static void write_begin(void *context, uint64_t address)
{
	fprintf(context, "begin %" PRIx64 "\n", address);
}

static void write_branch(void *context, const struct wm_stream_branch *told)
{
	static const char *const names[] = {"call", "icall", "ret", "jmp", "ijmp", "jcc"};
	const struct wm_branch *branch = &told->branch;
	bool conditional = branch->kind == WM_BRANCH_CONDITIONAL;
	fprintf(context, "%s%s %" PRIx64 " %" PRIx64 " after=%" PRIx64 " n=%" PRIu32,
		names[branch->kind], !conditional ? "" : branch->taken ? "+" : "-", branch->at,
		branch->to, branch->after, branch->instructions);
	if (branch->target != branch->to)
		fprintf(context, " target=%" PRIx64, branch->target);
	if (branch->stack)
		fprintf(context, " sp=%" PRIx64, branch->stack);
	fputc('\n', context);
}

static void write_thread(void *context, uint64_t number)
{
	fprintf(context, "thread %" PRIu64 "\n", number);
}

static void write_signal(void *context, uint64_t address)
{
	fprintf(context, "signal %" PRIx64 "\n", address);
}

static void write_sigreturn(void *context)
{
	fprintf(context, "sigreturn\n");
}

static int export_branches(struct wm_arena *arena, struct wm_hpp_study *study)
{
	struct wm_whole_file file;
	wm_whole_file_begin(&file, study->to);
	const struct wm_stream_sink sink = {.context = file.stream,
		.begin = write_begin,
		.branch = write_branch,
		.thread = write_thread,
		.signal = write_signal,
		.sigreturn = write_sigreturn};
	struct result result = feed(arena, study, &sink);
	wm_whole_file_end(&file);
	return result.status;
}

static void write_path(
	void *context, uint32_t number, const struct wm_path_entry *path, uint32_t weight)
{
	char outcomes[WM_OUTCOMES_TEXT];
	(void)number;
	(void)weight;
	wm_hpp_outcomes_text((uint64_t)path->length << 32 | path->outcomes, outcomes);
	fprintf(context, "%" PRIx64 ":%u:%s\n", path->start, path->length, outcomes);
}

/* The sequence of paths, a line each: with --paths=whole it tells the whole execution. */
static int export_paths(struct wm_arena *arena, struct wm_hpp_study *study)
{
	static struct wm_hpp_live live;
	struct wm_whole_file file;
	wm_whole_file_begin(&file, study->to);
	wm_hpp_live_init(&live, &study->settings);
	live.consumer = write_path;
	live.consumer_context = file.stream;
	struct wm_stream_sink sink = wm_hpp_live_sink(&live);
	struct result result = feed(arena, study, &sink);
	require(wm_hpp_live_finish(&live));
	wm_whole_file_end(&file);
	wm_hpp_live_free(&live);
	return result.status;
}

int wm_hpp_study(struct wm_arena *arena, struct wm_hpp_study *study)
{
	switch (study->kind) {
	case WM_HPP_FIGURES:
		return show_figures(arena, study);
	case WM_HPP_PLACKETT_BURMAN:
	case WM_HPP_FACTORIAL:
		return show_sweep(arena, study);
	case WM_HPP_EXPORT_BOLT:
		return export_bolt(arena, study);
	case WM_HPP_EXPORT_BRANCHES:
		return export_branches(arena, study);
	case WM_HPP_EXPORT_PATHS:
		return export_paths(arena, study);
	default:
		return show_phases(arena, study);
	}
}
