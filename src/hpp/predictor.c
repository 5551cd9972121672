#include "hpp/predictor.h"

#include <string.h>

void wm_predictor_init(struct wm_predictor *predictor, bool small)
{
	memset(predictor, 0, sizeof *predictor);
	predictor->small = small;
	memset(predictor->bimodal, 1, sizeof predictor->bimodal);
	memset(predictor->gshare, 1, sizeof predictor->gshare);
	memset(predictor->meta, 1, sizeof predictor->meta);
}

static void train(uint8_t *counter, bool up)
{
	if (up && *counter < 3)
		++*counter;
	else if (!up && *counter > 0)
		--*counter;
}

static bool wrong_direction(struct wm_predictor *p, uint64_t at, bool taken)
{
	uint32_t size = p->small ? 2048 : WM_PREDICTOR_SIZE;
	uint32_t history_mask = p->small ? 2047 : 4095;
	uint8_t *bimodal = &p->bimodal[at % WM_PREDICTOR_SIZE];
	uint8_t *gshare = &p->gshare[(at ^ p->history) % size];
	uint8_t *meta = &p->meta[at % WM_PREDICTOR_META];
	bool by_bimodal = *bimodal >= 2, by_gshare = *gshare >= 2;
	bool predicted = p->small || *meta >= 2 ? by_gshare : by_bimodal;
	if (by_bimodal != by_gshare)
		train(meta, by_gshare == taken);
	train(bimodal, taken);
	train(gshare, taken);
	p->history = (p->history << 1 | taken) & history_mask;
	return predicted != taken;
}

static bool wrong_target(struct wm_predictor *p, uint64_t at, uint64_t to)
{
	uint64_t from = at, target = to;
	for (int i = 0; i < WM_TARGET_WAYS; i++) {
		uint64_t was_at = p->target[at % WM_TARGET_SETS][i].at;
		uint64_t was_to = p->target[at % WM_TARGET_SETS][i].to;
		p->target[at % WM_TARGET_SETS][i].at = from;
		p->target[at % WM_TARGET_SETS][i].to = target;
		if (was_at == at)
			return was_to != to;
		from = was_at;
		target = was_to;
	}
	return true;
}

bool wm_predictor_branch(struct wm_predictor *predictor, const struct wm_branch *branch)
{
	bool wrong = false;
	switch (branch->kind) {
	case WM_BRANCH_CONDITIONAL:
		wrong = wrong_direction(predictor, branch->at, branch->taken);
		break;
	case WM_BRANCH_RETURN:
		predictor->calls--;
		wrong = predictor->returns[predictor->calls % WM_RETURN_STACK] != branch->to;
		break;
	case WM_BRANCH_CALL_INDIRECT:
	case WM_BRANCH_JUMP_INDIRECT:
		wrong = wrong_target(predictor, branch->at, branch->to);
		break;
	default:
		break;
	}
	if (branch->kind <= WM_BRANCH_CALL_INDIRECT)
		predictor->returns[predictor->calls++ % WM_RETURN_STACK] = branch->after;
	predictor->branches++;
	predictor->mispredictions += wrong;
	return wrong;
}
