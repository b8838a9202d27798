#include "validate/model/tag_check.h"

#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "validate/model/warn.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

using Tags = std::set<std::string>;

Tags tags_of(std::string_view meta_graph) {
  Tags tags;
  for (WireCursor cursor(last_bytes(meta_graph, fields::MetaGraphDef::kMetaInfoDef));
       cursor.next();) {
    if (cursor.field().number == fields::MetaGraphDef::MetaInfoDef::kTags)
      tags.insert(printable(cursor.field().bytes, 100));
  }
  return tags;
}

void add_all(std::string_view saved_model, std::vector<Tags>& sets) {
  for (WireCursor cursor(saved_model); cursor.next();) {
    if (cursor.field().number == fields::SavedModel::kMetaGraphs)
      sets.push_back(tags_of(cursor.field().bytes));
  }
}

}  // namespace

void check_tags(const Model& model, Diagnostics& diagnostics) {
  if (model.saved_model == nullptr) return;
  std::vector<Tags> sets = {tags_of(model.meta)};
  add_all(model.saved_model->before, sets);
  add_all(model.saved_model->after, sets);
  std::set<Tags> seen;
  for (const Tags& tags : sets) {
    if (seen.insert(tags).second) continue;
    warn_by_code("duplicate-tags", {},
                 cat("two MetaGraphDefs of the SavedModel have the tags ",
                     quoted(join({tags.begin(), tags.end()}, ", "))),
                 diagnostics);
  }
}

}  // namespace cryo
