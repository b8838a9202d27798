#pragma once

#include "passes/weights/weight_pairing.h"

namespace cryo {

// Pairs the remaining weights of two models if one has its weights below a scope that the other
// does not have:
//
//     from  conv/w  conv/b        from  import/conv/w  import/conv/b
//     into  net/conv/w  net/b     into  conv/w  conv/b
//           net/ and conv/w: a pair           import/: two pairs
//
// The scope that makes the most pairs of one type and shape comes first, then the next among the
// rest. If another scope makes as many pairs with the same weights, neither is taken, and
// "ambiguous-scope" is reported: --rename selects one.
void pair_below_scopes(WeightPairing& pairing, const std::vector<NamedWeight>& sources,
                       const std::vector<NamedWeight>& targets, Diagnostics& diagnostics);

}  // namespace cryo
