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
// A variable that gets no weight keeps the value that the target's checkpoint has. Where there is
// none it takes the constant of its own initializer (initial_values.h); the log lists these, and a
// diagnostic reports them ("initial-values"). `partial` makes a checkpoint without a graph of the
// matched variables alone, for init_from_checkpoint.
//
// `cast` converts weights whose type is not the variable's (casts.h).
//
// No node changes. Values are slices of the inputs. `cast` and `match value` read what they convert
// or compare; the writer reads weights whose checksum is not known.
//
// Fails with "no-target-variables", "no-weights", "nothing-matched"; "not-all-matched" with
// `strict`; "variables-without-value" where a variable that the saver restores is left without any
// value; with the fault of a weight that is taken and cannot be read; and as reading and renaming
// do.
Result<Model> transfer(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
