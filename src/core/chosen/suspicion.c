#include "core/chosen/suspicion.h"

#include <math.h>

static double share(size_t part, size_t rest)
{
	return part + rest ? (double)part / (double)(part + rest) : 0;
}

/* The harmonic mean of the increase and of the part of the failures, in logarithms. */
static double importance_of(const struct wm_suspicion_counts *counts, double increase)
{
	if (increase <= 0 || counts->fails == 0)
		return 0;
	if (counts->all_fails == 1)
		return 2 / (1 / increase + 1); /* it explains all there is */
	if (counts->fails == 1)
		return 0;
	return 2 / (1 / increase + log((double)counts->all_fails) / log((double)counts->fails));
}

struct wm_suspicion wm_suspicion_of(const struct wm_suspicion_counts *counts)
{
	struct wm_suspicion result;
	double fails = (double)counts->fails, all = (double)counts->all_fails;
	double product = all * (fails + (double)counts->passes);
	result.increase = share(counts->fails, counts->passes) -
			  share(counts->reached_fails, counts->reached_passes);
	result.importance = importance_of(counts, result.increase);
	result.ochiai = product > 0 ? fails / sqrt(product) : 0;
	return result;
}
