// freeze_model MODEL OUT.pb: lists the outputs of a model and freezes it.

#include <cryograph/formats/open.h>
#include <cryograph/formats/write.h>
#include <cryograph/graph/op_registry.h>
#include <cryograph/model/analysis/likely_outputs.h>
#include <cryograph/native/embedded_ops.h>
#include <cryograph/native/gather.h>
#include <cryograph/native/save.h>
#include <cryograph/verbs/freeze.h>

#include <iostream>

namespace {

int fail(const cryo::Diagnostic& error) {
  std::cerr << cryo::to_text(error) << "\n";
  return 1;
}

// Prints what was done, but should be known.
void print(const cryo::Diagnostics& diagnostics) {
  for (const cryo::Diagnostic& each : diagnostics.all()) std::cerr << cryo::to_text(each) << "\n";
}

int freeze(const std::string& path, const std::string& out) {
  const auto gathered = cryo::gather(path, "");
  if (!gathered) return fail(gathered.error());
  cryo::Diagnostics diagnostics;
  const auto model = cryo::open(gathered->files, {.path = gathered->asked}, diagnostics);
  if (!model) return fail(model.error());
  for (const cryo::Endpoint& output : cryo::likely_endpoints(*model).outputs) {
    std::cout << output.name << ": " << output.why << "\n";
  }

  const auto ops = cryo::OpRegistry::parse(std::string(cryo::embedded_ops()));
  // Without options: to the likely outputs.
  const auto frozen = cryo::freeze(*model, {}, {.ops = ops ? &*ops : nullptr}, diagnostics);
  if (!frozen) return fail(frozen.error());

  const auto files = cryo::write(frozen->model, {.out = out}, diagnostics);
  if (!files) return fail(files.error());
  const auto check_inputs = [&] { return cryo::finish_checks(frozen->model.checks); };
  const auto progress = [](uint64_t, uint64_t) {};
  const auto saved = cryo::save(*files, out, true, check_inputs, progress);
  print(diagnostics);
  return saved ? 0 : fail(saved.error());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return freeze(argv[1], argv[2]);
  std::cerr << "usage: freeze_model MODEL OUT.pb\n";
  return 2;
}
