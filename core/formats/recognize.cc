#include "formats/recognize.h"

#include <algorithm>
#include <array>
#include <utility>

#include "archive/gzip.h"
#include "archive/tar.h"
#include "archive/zip.h"
#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "formats/arrays/npy.h"
#include "formats/arrays/npz.h"
#include "formats/arrays/safetensors.h"
#include "formats/events/event_file.h"
#include "formats/events/records.h"
#include "formats/tflite/tflite_file.h"
#include "wire/schema_match.h"

namespace cryo {
namespace {

constexpr std::string_view kTableMagic = "\x57\xFB\x80\x8B\x24\x75\x47\xDB";
constexpr uint64_t kFooterSize = 48;
constexpr uint64_t kTextHead = uint64_t{64} * 1024;
constexpr uint64_t kJsonTail = 1024;

// File formats that are often mistaken for TensorFlow models, with their first bytes.
struct Signature {
  size_t offset;
  std::string_view bytes;
  std::string_view what;
  std::string_view fix;
};

constexpr std::string_view kNotAModel = ADVICE("give-model");
constexpr std::string_view kExport =
    "in Keras, load it and save a SavedModel: keras.models.load_model(FILE).export('DIR'), or "
    "tf.saved_model.save(model, 'DIR')";
constexpr std::string_view kFromPickle =
    "in Python, save the arrays as numpy.savez('NAME.npz', **arrays), and give that";

using namespace std::string_view_literals;
constexpr std::array kSignatures = {
    Signature{0, "\x89PNG"sv, "a PNG image", kNotAModel},
    Signature{0, "\xFF\xD8\xFF"sv, "a JPEG image", kNotAModel},
    Signature{0, "GIF8"sv, "a GIF image", kNotAModel},
    Signature{0, "%PDF"sv, "a PDF document", kNotAModel},
    Signature{0, "\x89HDF\r\n"sv, "an HDF5 file (a Keras model or its weights)", kExport},
    Signature{0, "\x80\x02"sv, "a Python pickle", kFromPickle},
    Signature{0, "\x80\x03"sv, "a Python pickle", kFromPickle},
    Signature{0, "\x80\x04\x95"sv, "a Python pickle", kFromPickle},
    Signature{0, "\x80\x05\x95"sv, "a Python pickle", kFromPickle},
    Signature{0, "version https://git-lfs"sv, "a Git LFS pointer, not the file itself",
              "fetch the file: git lfs pull"},
    Signature{0, "<!DOCTYPE"sv, "an HTML page", "the download failed: get the file itself"},
    Signature{0, "<!doctype"sv, "an HTML page", "the download failed: get the file itself"},
    Signature{0, "<html"sv, "an HTML page", "the download failed: get the file itself"},
    Signature{0,
              "\x7F"
              "ELF"sv,
              "a program (ELF)", kNotAModel},
};

// TensorFlow's proto splitter stores messages over 2 GiB as Riegeli records (.cpb). Cryograph names
// the format and does not read it. All eight such files in TensorFlow's own tests have each record
// in one chunk of type 'r' under Brotli ('b'), Riegeli's default. A slice cannot address bytes
// under Brotli, so every weight would be unpacked to open the model. A decoder adds a dictionary of
// 120 KB to the page. No released TensorFlow writes such files or loads them.
constexpr std::string_view kRiegeli = "\x83\xAF\x70\xD1\x0D\x88\x4A\x3F";
constexpr std::string_view kChunkedFix =
    "save the model again without experimental_image_format, with weights as variables and not as "
    "constants where it is over 2 GB";

Recognition other(std::string_view what, std::string_view fix) {
  return {FileKind::kOther, std::string(what), std::string(fix)};
}

// The fields that a message of text may begin with.
struct TextField {
  std::string_view name;
  FileKind kind;
  std::string_view what;
};

constexpr std::array kTextFields = {
    TextField{"model_checkpoint_path", FileKind::kCheckpointState, "a checkpoint state file"},
    TextField{"all_model_checkpoint_paths", FileKind::kCheckpointState, "a checkpoint state file"},
    TextField{"node", FileKind::kGraphDef, "a GraphDef (text)"},
    TextField{"versions", FileKind::kGraphDef, "a GraphDef (text)"},
    TextField{"library", FileKind::kGraphDef, "a GraphDef (text)"},
    TextField{"version", FileKind::kGraphDef, "a GraphDef (text)"},
    TextField{"meta_info_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"graph_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"saver_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"collection_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"signature_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"asset_file_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"object_graph_def", FileKind::kMetaGraph, "a MetaGraphDef (text)"},
    TextField{"saved_model_schema_version", FileKind::kSavedModel, "a SavedModel (text)"},
    TextField{"meta_graphs", FileKind::kSavedModel, "a SavedModel (text)"},
    TextField{"op", FileKind::kOther, "a list of op definitions (text)"},
    TextField{"item", FileKind::kOther, "a label map (text)"},
    TextField{"model", FileKind::kOther, "a training configuration (text)"},
};

// Returns the text after its leading blanks and comments; license comments are long.
std::string_view begin_of_text(std::string_view text) {
  size_t start = text.find_first_not_of(" \t\r\n");
  while (start != std::string_view::npos && text[start] == '#') {
    start = text.find('\n', start);
    start = start == std::string_view::npos ? start : text.find_first_not_of(" \t\r\n", start);
  }
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

std::string_view first_word(std::string_view text) {
  const auto ends = [](char c) {
    return !(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c >= '0' && c <= '9'));
  };
  const auto end = std::find_if(text.begin(), text.end(), ends);
  return text.substr(0, static_cast<size_t>(end - text.begin()));
}

// The members of a model.json may be in any order and megabytes long. In an older model's manifest
// all entries have the same form.
Result<bool> is_tfjs(const ByteSource& source, std::string_view head) {
  const std::string_view text = begin_of_text(head);
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  const uint64_t size = source.size();
  TRY(tail, read_up_to(source, size - std::min(size, kJsonTail), kJsonTail));
  const auto has = [&](std::string_view key) {
    return head.find(key) != std::string_view::npos || tail.find(key) != std::string::npos;
  };
  if (has("\"modelTopology\"") || has("\"weightsManifest\"")) return true;
  return text.starts_with('[') && has("\"paths\"") && has("\"weights\"");
}

Recognition recognise_text(std::string_view head) {
  const std::string_view text = begin_of_text(head);
  const std::string_view word = first_word(text);
  for (const TextField& field : kTextFields) {
    if (word != field.name) continue;
    const bool other = field.kind == FileKind::kOther;
    return {field.kind, std::string(field.what), std::string(other ? kNotAModel : "")};
  }
  if (text.starts_with('{') || text.starts_with('[')) {
    return other("a JSON file", "give a .pb, a .meta, a checkpoint, or TensorFlow.js' model.json");
  }
  return other("a text file", kNotAModel);
}

// The first key of a table's first block: "" in both kinds of checkpoint. A V2 header's fields are
// varints and a version (08 01 1A ..); a V1 value begins with a SavedTensorSliceMeta (0A ..).
bool begins_v1(std::string_view head) {
  const bool first_key_empty = head.size() > 3 && head[0] == 0 && head[1] == 0;
  const size_t value = head.size() > 3 && (head[2] & 0x80) != 0 ? 4 : 3;
  return first_key_empty && head.size() > value && head[value] == '\x0A';
}

Recognition recognise_table(std::string_view head) {
  if (begins_v1(head)) return {FileKind::kCheckpointV1, "a V1 checkpoint", ""};
  return {FileKind::kCheckpointIndex, "the index of a V2 checkpoint",
          "name it PREFIX.index, as its data files are named PREFIX.data-..."};
}

struct Candidate {
  FileKind kind;
  std::string_view message;
  std::string_view what;
};

constexpr std::array kCandidates = {
    Candidate{FileKind::kGraphDef, "tensorflow.GraphDef", "a GraphDef"},
    Candidate{FileKind::kMetaGraph, "tensorflow.MetaGraphDef", "a MetaGraphDef"},
    Candidate{FileKind::kSavedModel, "tensorflow.SavedModel", "a SavedModel"},
};

// "a GraphDef (12 of 12 fields at its beginning fit)"
std::string fit_text(std::string_view what, const SchemaMatch& fit) {
  return cat(what, " (", fit.known, " of ", fit.known + fit.unknown,
             " fields at its beginning fit)");
}

// Finds the message whose schema the head fits best; unknown if even that fits worse than not.
Result<Recognition> recognise_message(const SourcePtr& source) {
  Recognition best;
  int best_score = 0;
  std::string reason;
  int other_score = 0;  // of the second best
  std::string other_reason;
  for (const Candidate& candidate : kCandidates) {
    TRY(fit, match_schema(whole(source), message_schema(candidate.message)));
    const int score = fit.known - 4 * fit.unknown;
    if (score <= 0) continue;
    if (score > best_score) {
      other_score = std::exchange(best_score, score);
      other_reason = std::exchange(reason, fit_text(candidate.what, fit));
      best = {candidate.kind, std::string(candidate.what), ""};
    } else if (score > other_score) {
      other_score = score;
      other_reason = fit_text(candidate.what, fit);
    }
  }
  // All of them have some fields in common.
  if (other_score * 2 >= best_score && other_score > 0) {
    best.why = cat(reason, ", rather than ", other_reason);
  }
  return best;
}

// Zip files of arrays are NumPy's; Keras 3 and PyTorch keep their models in some.
Result<Recognition> recognise_zip(const SourcePtr& source) {
  const Result<bool> npz = is_npz(source);
  if (npz && *npz) return Recognition{FileKind::kNpz, "a file of NumPy arrays (.npz)", ""};
  const auto members = zip_members(source);
  for (const SourcePtr& member : members ? *members : std::vector<SourcePtr>()) {
    const std::string_view name = base_name(member->name());
    if (name == "model.weights.h5") return other("a Keras 3 model (.keras)", kExport);
    if (name == "data.pkl") {
      return other("a PyTorch file",
                   "in PyTorch, save the weights with safetensors.torch.save_file");
    }
  }
  return Recognition{FileKind::kArchive, "a ZIP archive", ""};
}

// ONNX's ModelProto: ir_version = 1, producer_name = 2, graph = 7, opset_import = 8, and few
// others. A SavedModel's field 1 is always 1.
Result<bool> is_onnx(const ByteSource& source, std::string_view head) {
  if (head.size() < 2 || head[0] != '\x08' || head[1] < 2 || head[1] > 0x40) return false;
  constexpr int kMaxFields = 16;
  constexpr uint64_t kMaxField = 32;
  bool has_graph = false;
  uint64_t at = 0;
  for (int i = 0; i < kMaxFields && at < source.size(); ++i) {
    TRY(bytes, read_up_to(source, at, kMaxField));
    std::string_view rest = bytes;
    uint64_t tag = 0;
    uint64_t value = 0;
    if (!take_varint(rest, tag) || !take_varint(rest, value)) return false;
    const uint64_t number = tag >> 3;
    const bool is_number = number == 1 || number == 5;
    const bool is_bytes =
        (number >= 2 && number <= 8) || number == 14 || number == 20 || number == 25;
    if (((tag & 7) == 0 && !is_number) || ((tag & 7) == 2 && !is_bytes)) return false;
    if ((tag & 7) != 0 && (tag & 7) != 2) return false;
    has_graph = has_graph || number == 7 || number == 8;
    at += bytes.size() - rest.size() + ((tag & 7) == 2 ? value : 0);
  }
  return has_graph;
}

// Archives, and files of arrays; nothing for others.
Result<Recognition> recognise_container(const SourcePtr& source, std::string_view head) {
  if (looks_like_zip(head)) return recognise_zip(source);
  if (looks_like_gzip(head)) return Recognition{FileKind::kArchive, "a gzip archive", ""};
  if (looks_like_tar(head)) return Recognition{FileKind::kArchive, "a tar archive", ""};
  if (looks_like_npy(head)) return Recognition{FileKind::kNpy, "a NumPy array (.npy)", ""};
  if (looks_like_safetensors(head, source->size())) {
    return Recognition{FileKind::kSafetensors, "a safetensors file", ""};
  }
  if (looks_like_events(head)) return Recognition{FileKind::kEvents, "an event file", ""};
  if (begins_record(head)) return other("a file of records (TFRecord)", kNotAModel);
  return Recognition{};
}

Result<Recognition> recognise_whole(const SourcePtr& source) {
  const uint64_t size = source->size();
  if (size == 0)
    return other("an empty file", "it was not written or not copied whole: get it again");
  TRY(head, read_up_to(*source, 0, kHeadBytes));
  if (size >= kFooterSize) {
    TRY(magic, read_up_to(*source, size - kTableMagic.size(), kTableMagic.size()));
    if (magic == kTableMagic) return recognise_table(head);
  }
  if (head.starts_with(kRiegeli)) {
    return Recognition{FileKind::kChunked,
                       "a chunked SavedModel or GraphDef (.cpb, Riegeli records)",
                       std::string(kChunkedFix)};
  }
  TRY(container, recognise_container(source, head));
  if (container.kind != FileKind::kUnknown) return container;
  if (looks_like_tflite(head)) {
    return Recognition{FileKind::kTflite, "a TensorFlow Lite model", ""};
  }
  for (const Signature& signature : kSignatures) {
    const std::string_view view = head;
    if (view.size() > signature.offset &&
        view.substr(signature.offset).starts_with(signature.bytes)) {
      return other(signature.what, signature.fix);
    }
  }
  if (is_text(head)) {
    TRY(text, read_up_to(*source, 0, kTextHead));
    TRY(tfjs, is_tfjs(*source, text));
    if (tfjs) return Recognition{FileKind::kTfjs, "a TensorFlow.js model", ""};
    return recognise_text(text);
  }
  TRY(onnx, is_onnx(*source, head));
  if (onnx) {
    return other("an ONNX model",
                 "give the TensorFlow model that it was converted from; onnx2tf "
                 "makes a SavedModel of an ONNX model");
  }
  TRY(message, recognise_message(source));
  if (message.kind != FileKind::kUnknown) return message;
  if (begins_v1(head)) {
    return Recognition{FileKind::kCheckpointV1, "a V1 checkpoint that is cut off", ""};
  }
  return Recognition{FileKind::kUnknown, "not a model: no known format (is the download complete?)",
                     std::string(kNotAModel)};
}

// Names of files, and their kinds: longer names first.
struct NamedKind {
  std::string_view ending;
  FileKind kind;
};
constexpr std::array kNamedKinds = {
    NamedKind{"saved_model.pb", FileKind::kSavedModel},
    NamedKind{".pb", FileKind::kGraphDef},
    NamedKind{".meta", FileKind::kMetaGraph},
    NamedKind{".index", FileKind::kCheckpointIndex},
    NamedKind{".npz", FileKind::kNpz},
    NamedKind{".zip", FileKind::kArchive},
    NamedKind{".tar", FileKind::kArchive},
};

// Recognizes a damaged zip file of arrays by its members. A file whose beginning or end is damaged
// is known by its name alone.
Result<Recognition> recognise_damaged(const SourcePtr& source, Recognition found) {
  DamagedParts ignored;
  if (found.kind == FileKind::kArchive) {
    TRY(head, read_up_to(*source, 0, kHeadBytes));
    const Result<bool> npz = looks_like_zip(head) ? is_npz(source, &ignored) : Result<bool>(false);
    if (npz && *npz) return Recognition{FileKind::kNpz, "a damaged file of NumPy arrays", ""};
  }
  if (found.kind != FileKind::kUnknown) return found;
  for (const NamedKind& each : kNamedKinds) {
    if (source->name().ends_with(each.ending)) return Recognition{each.kind, "a damaged file"};
  }
  return found;
}

}  // namespace

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

Result<Recognition> recognise(const SourcePtr& source, bool salvage) {
  TRY(found, recognise_whole(source));
  if (!salvage) return std::move(found);
  return recognise_damaged(source, std::move(found));
}

}  // namespace cryo
