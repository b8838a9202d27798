// Protobuf's text format. What is read is printed, and what is printed is read as what it was.

#include "input.h"
#include "targets.h"
#include "wire/text/text_reader.h"
#include "wire/text/text_writer.h"

namespace cryo::fuzz {
namespace {

// Returns the printed text; empty if it is not text of this message.
std::string printed(std::string_view text, const MessageSchema& schema) {
  Payloads payloads;
  Diagnostics remarks;
  const auto skeleton = read_text(fresh(std::string(text)), schema, payloads, remarks);
  if (!skeleton) return {};
  const auto print = write_text(*skeleton, schema, payloads, remarks);
  assert(print.ok());
  const auto all = print->read_all();
  assert(all.ok());
  return *all;
}

}  // namespace

void fuzz_text(std::string_view input) {
  for (const char* name : {"tensorflow.GraphDef", "tensorflow.MetaGraphDef"}) {
    const MessageSchema& schema = message_schema(name);
    const std::string once = printed(input, schema);
    assert(printed(once, schema) == once);
  }
}

}  // namespace cryo::fuzz
