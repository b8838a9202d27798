#include "archive/zip_writer.h"
#include "attacks.h"
#include "base/text.h"
#include "graphs.h"
#include "wire_message.h"

namespace cryo::attacks {
namespace {

laws::Files zip_of(const std::vector<ZipFile>& files) {
  return laws::Files().put("m.zip", *write_zip(files)->read_all());
}

laws::Files many_models() {
  WireMessage meta = WireMessage().message(1, WireMessage().bytes(4, "serve"));
  meta.message(2, WireMessage().bytes(1, placeholder("x")));
  const std::string bytes = serialise(meta);
  std::vector<ZipFile> files;
  for (int i = 0; i < 20'000; ++i) {
    files.push_back({cat("m", i, ".meta"), Splice(fresh(bytes))});
  }
  return zip_of(files);
}

}  // namespace

std::vector<Attack> archive_attacks() {
  return {{"archive-of-20000-models", many_models, "several-models"}};
}

}  // namespace cryo::attacks
