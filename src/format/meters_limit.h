/* How many metrics a build reads: also known to the runtime. */
#ifndef WM_FORMAT_METERS_LIMIT_H
#define WM_FORMAT_METERS_LIMIT_H

enum { WM_MAX_METERS = 4 };

#endif
