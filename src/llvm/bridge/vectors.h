/* Vectorised loops execute their text several times per iteration: the factor of the probes in them
 * says so (bridge/marks.h). */
#ifndef WM_LLVM_BRIDGE_VECTORS_H
#define WM_LLVM_BRIDGE_VECTORS_H

#include <memory>

namespace llvm
{
class PassInstrumentationCallbacks;
}
class wm_losses;

/* Corrects the probes of each function that the loop vectoriser has been through. Where the factor
 * is not certain, the probe is taken out and lost. */
void wm_vectors_watch(
	const std::shared_ptr<wm_losses> &losses, llvm::PassInstrumentationCallbacks &callbacks);

#endif
