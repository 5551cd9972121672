/* Vectorised loops execute their text several times per iteration: the factor of the probes in them
 * says so (bridge/marks.h). */
#ifndef WM_LLVM_BRIDGE_VECTORS_H
#define WM_LLVM_BRIDGE_VECTORS_H

namespace llvm
{
class PassInstrumentationCallbacks;
}

/* Corrects the probes of each function that the loop vectoriser has been through. Where the factor
 * is not certain, the probe is taken out. */
void wm_vectors_watch(llvm::PassInstrumentationCallbacks &callbacks);

#endif
