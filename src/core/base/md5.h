/* MD5 (RFC 1321): what compilers call the text of a source file by. It tells apart texts that were
 * changed by chance, not by an attacker. */
#ifndef WM_CORE_MD5_H
#define WM_CORE_MD5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_md5 {
	uint8_t byte[16];
};

struct wm_md5 wm_md5(const void *bytes, size_t count);

bool wm_md5_equal(const struct wm_md5 *left, const struct wm_md5 *right);

#endif
