/* Errors of the libraries: a negative code, and a text for the person who reads it. */
#ifndef WM_CORE_ERROR_H
#define WM_CORE_ERROR_H

enum wm_error_code {
	WM_ERROR_INPUT = -1,	 /* the input is malformed; the text says where */
	WM_ERROR_SYSTEM = -2,	 /* the operating system refused; the text holds its reason */
	WM_ERROR_MISMATCH = -3,	 /* two inputs do not belong together; the text names both */
	WM_ERROR_UNSOLVABLE = -4 /* no placement or no solution exists for this request */
};

struct wm_error {
	char text[1024];
};

/* Stores the formatted text and returns the code, so that `return wm_error_set(...)` reads well. */
int wm_error_set(struct wm_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
