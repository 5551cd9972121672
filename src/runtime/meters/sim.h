/* The simulated caches of the calling thread, when it ends. */
#ifndef WM_RUNTIME_METERS_SIM_H
#define WM_RUNTIME_METERS_SIM_H

void wm_sim_leave(void);

#endif
