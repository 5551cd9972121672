/* Name of the profile file. */
#ifndef WM_RUNTIME_NAME_H
#define WM_RUNTIME_NAME_H

#include <limits.h>

#include "runtime/file/object.h"

/* The pattern as an absolute path, with its %-signs: taken from the environment, from the program,
 * or PROGRAM-BUILDID.wmk in the working directory. Returns -1 if it is too long. */
int wm_name_pattern(const struct wm_own_object *object, char pattern[PATH_MAX]);

/* The same for a pattern that a caller gives. */
int wm_name_absolute(const char *chosen, char pattern[PATH_MAX]);

/* Replaces %p (process id), %h (host name), %b and %m (build-id), %l (label), %% (one %). */
int wm_name_expand(const struct wm_own_object *object, const char *pattern, char name[PATH_MAX]);

/* How long the name of a label can be. */
enum { WM_NAME_LABEL_BYTES = 184 };

/* The label as part of a file's name: letters, digits, _, - and . stand for themselves, other bytes
 * are =NN. A long label ends in ~ and a hash of it. */
void wm_name_label(const char *label, char name[WM_NAME_LABEL_BYTES]);

/* The name to use where the file of that name belongs to another build: NAME-BUILDID.wmk. */
int wm_name_alternative(const struct wm_own_object *object, const char *name, char other[PATH_MAX]);

#endif
