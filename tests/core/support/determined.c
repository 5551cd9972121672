/* Gaussian elimination modulo a prime. The rows have entries -1, 0 and 1 and their minors are
 * small, so a prime of this size changes no rank. */
#include "determined.h"

#include <string.h>

enum { PRIME = 30011, MAX_COLUMNS = 46 };

struct basis {
	uint32_t columns;
	uint32_t rank;
	bool used[MAX_COLUMNS];
	int32_t row[MAX_COLUMNS][MAX_COLUMNS]; /* by pivot column, which holds 1 */
};

static int32_t inverse(int32_t value)
{
	int64_t result = 1;
	int64_t power = value;
	for (int exponent = PRIME - 2; exponent > 0; exponent /= 2) {
		if (exponent % 2)
			result = result * power % PRIME;
		power = power * power % PRIME;
	}
	return (int32_t)result;
}

static void add_row(struct basis *basis, const int32_t *given)
{
	int32_t row[MAX_COLUMNS];
	memcpy(row, given, basis->columns * sizeof *row);
	for (uint32_t c = 0; c < basis->columns; c++) {
		row[c] = (row[c] % PRIME + PRIME) % PRIME;
		if (row[c] == 0)
			continue;
		if (!basis->used[c]) {
			int32_t scale = inverse(row[c]);
			for (uint32_t d = c; d < basis->columns; d++)
				basis->row[c][d] =
					(int32_t)((int64_t)((row[d] % PRIME + PRIME) % PRIME) *
						  scale % PRIME);
			basis->used[c] = true;
			basis->rank++;
			return;
		}
		int32_t factor = row[c];
		for (uint32_t d = c; d < basis->columns; d++)
			row[d] = (row[d] - factor * basis->row[c][d]) % PRIME;
	}
}

/* What enters v, minus what leaves it if asked, over the edges that are not counted. */
static void vertex_row(
	const struct wm_cfg *cfg, uint64_t counted, uint32_t v, bool balance, struct basis *basis)
{
	int32_t row[MAX_COLUMNS] = {0};
	uint32_t column = 0;
	for (uint32_t e = 0; e <= cfg->edge_count; e++) {
		if (counted >> e & 1)
			continue;
		row[column++] = (cfg->target[e] == v) - (balance && cfg->source[e] == v);
	}
	add_row(basis, row);
}

bool determined(const struct wm_cfg *cfg, uint64_t edges, uint64_t vertices, enum wanted wanted)
{
	struct basis basis = {.columns = 0};
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		basis.columns += !(edges >> e & 1);
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		vertex_row(cfg, edges, v, true, &basis);
		if (vertices >> v & 1)
			vertex_row(cfg, edges, v, false, &basis);
	}
	if (wanted == WANT_EDGES)
		return basis.rank == basis.columns;
	uint32_t known = basis.rank;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (wanted == WANT_VERTICES || v != cfg->exit)
			vertex_row(cfg, edges, v, false, &basis);
	return basis.rank == known;
}
