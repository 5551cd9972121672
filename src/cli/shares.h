/* Shares such as 0.1%. */
#ifndef WM_CLI_SHARES_H
#define WM_CLI_SHARES_H

/* The share as a part of 1. An error ends the tool with one line. */
double wm_share_parse(const char *command, const char *option, const char *text);

#endif
