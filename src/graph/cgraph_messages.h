/* The messages of cgraph as text: by itself it prints them. */
#ifndef WM_GRAPH_CGRAPH_MESSAGES_H
#define WM_GRAPH_CGRAPH_MESSAGES_H

/* From now on errors are kept, not printed. Forgets earlier ones. */
void wm_cgraph_messages_start(void);

/* The first line of the first error since then, without cgraph's own prefix; NULL if there was
 * none. */
const char *wm_cgraph_messages_first(void);

#endif
