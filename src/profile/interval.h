/* A number of which only bounds may be known. */
#ifndef WM_PROFILE_INTERVAL_H
#define WM_PROFILE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* What stands for no bound. Sums that leave the range of numbers have none either. */
#define WM_NO_LOW INT64_MIN
#define WM_NO_HIGH INT64_MAX

struct wm_interval {
	int64_t low;
	int64_t high;
};

static inline struct wm_interval wm_interval_of(int64_t number)
{
	return (struct wm_interval){number, number};
}

/* That many or more. */
static inline struct wm_interval wm_interval_from(int64_t low)
{
	return (struct wm_interval){low, WM_NO_HIGH};
}

static inline bool wm_interval_is_exact(struct wm_interval interval)
{
	return interval.low == interval.high;
}

static inline bool wm_interval_is_empty(struct wm_interval interval)
{
	return interval.low > interval.high;
}

struct wm_interval wm_interval_add(struct wm_interval left, struct wm_interval right);
struct wm_interval wm_interval_subtract(struct wm_interval left, struct wm_interval right);

/* The numbers in both. */
struct wm_interval wm_interval_meet(struct wm_interval left, struct wm_interval right);

/* The smallest interval that holds both. */
struct wm_interval wm_interval_join(struct wm_interval left, struct wm_interval right);

/* Of the largest of two numbers that are in these. */
struct wm_interval wm_interval_max(struct wm_interval left, struct wm_interval right);

#endif
