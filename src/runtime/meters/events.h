/* The kernel's events of the calling thread, when something happens to it. */
#ifndef WM_RUNTIME_METERS_EVENTS_H
#define WM_RUNTIME_METERS_EVENTS_H

void wm_meter_events_before_fork(void);
void wm_meter_events_start_in_child(void);
void wm_meter_events_leave(void);

#endif
