#pragma once

#include "passes/pass.h"

namespace cryo {

// Weights of one model become the values of another's variables. The model is the target, `other`
// of the options is where the weights come from:
//
//     from    conv/w: Const   logits/w: Const          or a checkpoint, an .npz, ...
//     into    conv/w, logits/w, step: variables        before: their own checkpoint, or none
//     after   the same graph; conv/w and logits/w have the constants' values, step its own
//
// Weights find their variables by name (weight_pairing.h), after the rules of `rename`; what is
// left by equal bytes or by shape and place, where `match` asks for it. Variables that `exclude`
// names, by the variable's name or its key, are left alone, as is what only training needs where
// `no_slots` says so. Where types or shapes differ the variable keeps its value. What became of
// each variable is in the log: matched, excluded, mismatched and unmatched are all of them.
//
// A variable of several parts is one: they share their fate.
//
// No node changes. Values are slices of where they lie. Each that is taken from a checkpoint is
// read once, to compare its checksum; besides that only what `match value` compares, and by the
// writer weights whose checksum is not known.
//
// Fails where the target has no variables, the source no weights, or nothing matches, with
// "not-all-matched" where `strict` asks for more than there is, "checksum" where a weight that is
// taken is damaged, and with what reading and renaming fail with. A variable that ends up without a
// value fails when a checkpoint is written
// ("variables-without-value").
Result<Model> transfer(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
