#include <burn/backends/ndarray/ndarray.h>
#include <burn/data/gzip.h>
#include <burn/data/idx.h>
#include <burn/store/burnpack.h>
#include <burn/store/config_file.h>
#include <burn/store/safetensors.h>
#include <burn/store/store.h>

#include "tests/fuzz/target.h"
#include "tests/module/sample_modules.h"
#include "tests/support/sample_config.h"

#include <zlib.h>

#include <cstring>
#include <stdexcept>

namespace burn::fuzz {

namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Tensor files

/// Little and large, of every dtype, with everything that a file can hold besides.
std::vector<store::TensorFileContents> sample_contents() {
    store::TensorFileContents every;
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        every.tensors.push_back(
            {std::string("layer.") + name_of(dtype), TensorData(Shape{2, 3}, dtype), std::uint64_t(i + 1)});
    }
    every.tensors.push_back({"scalar", TensorData(Shape(), DType::F32)});
    every.tensors.push_back({"none", TensorData(Shape{3, 0, 2}, DType::I64)});
    every.metadata = {{"format", "pt"}, {"note", "x"}};
    every.scalars = {{"step", std::int64_t{-3}}, {"seed", std::uint64_t{7}}, {"lr", 0.1}, {"on", true}};
    store::TensorFileContents one;
    one.tensors.push_back({"w", TensorData(Shape{4}, DType::F32)});
    return {every, one, {}};
}

store::TensorFileContents contents_of(const store::TensorFile& file) {
    store::TensorFileContents contents;
    contents.metadata = file.metadata();
    contents.scalars = file.scalars();
    for (const store::StoredTensor& tensor : file.tensors()) {
        contents.tensors.push_back({tensor.name, file.read(tensor), tensor.param_id});
    }
    return contents;
}

/// What is accepted must be written and read to the same again.
template <class Open, class Write>
void round_trip(std::span<const std::byte> input, Open open, Write write) {
    const std::vector<std::byte> once = write(contents_of(open(store::ByteSource::borrow(input, "input"))));
    const std::vector<std::byte> twice = write(contents_of(open(store::ByteSource::borrow(once, "written"))));
    require(once == twice, "what was read, written, and read again has changed");
}

void run_safetensors(std::span<const std::byte> input) {
    round_trip(
        input, [](store::ByteSource source) { return store::open_safetensors(std::move(source)); },
        store::safetensors_bytes);
}

std::vector<std::string> safetensors_seeds() {
    std::vector<std::string> seeds;
    for (const auto& contents : sample_contents()) seeds.push_back(text_of(store::safetensors_bytes(contents)));
    return seeds;
}

/// The header ends at its last brace.
std::string repair_safetensors(std::string input) {
    const std::size_t end = input.rfind('}');
    if (input.size() < 8 || end == std::string::npos || end < 8) return input;
    const std::uint64_t length = end + 1 - 8;
    std::memcpy(input.data(), &length, sizeof length);
    return input;
}

void run_burnpack(std::span<const std::byte> input) {
    round_trip(
        input, [](store::ByteSource source) { return store::open_burnpack(std::move(source)); }, store::burnpack_bytes);
}

std::vector<std::string> burnpack_seeds() {
    std::vector<std::string> seeds;
    for (const auto& contents : sample_contents()) seeds.push_back(text_of(store::burnpack_bytes(contents)));
    return seeds;
}

/// The metadata ends before the first run of zeros that is longer than any number of the samples.
std::string repair_burnpack(std::string input) {
    const std::size_t end = input.find(std::string(9, '\0'), 10);
    if (input.size() < 10 || end == std::string::npos) return input;
    const auto length = static_cast<std::uint32_t>(end - 10);
    std::memcpy(input.data(), "NRUB\1\0", 6);
    std::memcpy(input.data() + 6, &length, sizeof length);
    return input;
}

// Records into modules

using Model = sample::Everything<Autodiff<NdArray>>;

store::TensorFileContents contents_of(const Model& model) {
    store::TensorFileContents contents;
    const Record record = to_record(model);
    for (const Record::Tensor& tensor : record.tensors()) {
        contents.tensors.push_back({tensor.path.text(), tensor.read(), tensor.id});
    }
    return contents;
}

/// A module takes a record, or is as it was.
void run_record(std::span<const std::byte> input) {
    Model model = sample::make_everything<Autodiff<NdArray>>(Device<Autodiff<NdArray>>());
    const std::vector<std::byte> before = store::burnpack_bytes(contents_of(model));
    try {
        load_record(model, store::read_record(store::open_tensor_file(store::ByteSource::borrow(input, "input"))),
                    {.dtype = input.size() % 2 == 0 ? LoadDType::FromRecord : LoadDType::CastToModule});
    } catch (const Error&) {
        require(store::burnpack_bytes(contents_of(model)) == before, "a failed load changed the module");
        throw;
    }
    require(model.first.weight.tied_to(model.wrapped.inner.weight), "a load untied parameters");
}

std::vector<std::string> record_seeds() {
    const Model model = sample::make_everything<Autodiff<NdArray>>(Device<Autodiff<NdArray>>());
    const store::TensorFileContents contents = contents_of(model);
    return {text_of(store::burnpack_bytes(contents)), text_of(store::safetensors_bytes(contents))};
}

std::string repair_record(std::string input) {
    return input.starts_with("NRUB") ? repair_burnpack(std::move(input)) : repair_safetensors(std::move(input));
}

// Compressed data

std::string compressed(const std::string& text) {
    std::string out(compressBound(text.size()) + 32, '\0');
    z_stream stream = {};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

constexpr std::uint64_t kGzipLimit = 1 << 20;

/// In one piece and in small ones, the text is the same.
void run_gzip(std::span<const std::byte> input) {
    const std::vector<std::byte> whole = data::GzipReader::from_memory(input, "input").read_all(kGzipLimit);
    data::GzipReader reader = data::GzipReader::from_memory(input, "input");
    require(whole.size() <= reader.most_left(), "more came than can come");
    std::vector<std::byte> pieces, piece(1 + input.size() % 97);
    while (const std::size_t count = reader.read(piece)) {
        pieces.insert(pieces.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    }
    require(whole == pieces, "pieces differ from the whole");
}

std::vector<std::string> gzip_seeds() {
    return {compressed("hello world"), compressed(""), compressed(std::string(100'000, 'x')),
            compressed("a") + compressed("b"), "plain"};
}

void run_idx(std::span<const std::byte> input) {
    const TensorData data = data::read_idx(input, "input");
    require(data.bytes().size() == static_cast<std::size_t>(data.numel()) * size_of(data.dtype()),
            "the sizes do not fit the bytes");
}

std::vector<std::string> idx_seeds() {
    using namespace std::string_literals;
    const std::string images = "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03"s + std::string(12, 'x');
    const std::string floats = "\0\0\x0d\x01\0\0\0\x02\x3f\x80\0\0\xc0\x20\0\0"s;
    const std::string none = "\0\0\x0e\x02\0\0\0\0\0\0\0\x05"s;
    return {images, floats, none, compressed(images), compressed(floats)};
}

/// Compresses what is not: damage inside a sound gzip gets to the IDX reader.
std::string repair_idx(std::string input) { return input.starts_with("\x1f\x8b") ? input : compressed(input); }

// Configs

void run_config(std::span<const std::byte> input) {
    const std::string text = text_of(input);
    const store::Json json = store::parse_json(text, "input");
    require(store::parse_json(json.text(), "written") == json, "a value that is written is read as another");
    const std::string once = to_json(config_from_json<sample::NetConfig>(text, "input"));
    require(to_json(config_from_json<sample::NetConfig>(once, "written")) == once,
            "a config that is written is read as another");
}

std::vector<std::string> config_seeds() {
    return {to_json(sample::net_config()), R"({"first":{"width":8,"kernel":[3,5]}})",
            "[1,[2,\"\\u00e9\"],null,true,1e5]"};
}

std::vector<Target> make_targets() {
    using namespace std::string_literals;
    const std::vector<std::string> tensor_words = {"dtype",
                                                   "shape",
                                                   "data_offsets",
                                                   "__metadata__",
                                                   "metadata",
                                                   "scalars",
                                                   "tensors",
                                                   "param_id",
                                                   "F32",
                                                   "F8_E4M3",
                                                   "BOOL",
                                                   "Bool",
                                                   "Native",
                                                   "Int",
                                                   "UInt",
                                                   "Float",
                                                   "QFloat",
                                                   "\"",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ":",
                                                   ",",
                                                   "null",
                                                   "\\u0000",
                                                   "burn.scalar.",
                                                   "burn.param_id.",
                                                   "\x9f",
                                                   "\xbf",
                                                   "\xff",
                                                   "\x1b\xff\xff\xff\xff\xff\xff\xff\xff",
                                                   "\xa1",
                                                   "\xa3",
                                                   "\x81",
                                                   "\x82",
                                                   "\xf6",
                                                   "\xf9\x7e\x00"s};
    return {
        {"safetensors", safetensors_seeds, tensor_words, run_safetensors, repair_safetensors, 128},
        {"burnpack", burnpack_seeds, tensor_words, run_burnpack, repair_burnpack, 512},
        {"record", record_seeds, tensor_words, run_record, repair_record, 512},
        {"idx",
         idx_seeds,
         {"\x1f\x8b\x08", "\0\0\x08\x03"s, "\0\0\x0e\x08"s, "\xff\xff\xff\xff"},
         run_idx,
         repair_idx,
         1400},
        {"gzip", gzip_seeds, {"\x1f\x8b\x08", "\x03\x00"s, "\0\0\0\0"s}, run_gzip, nullptr, 1400 * 4},
        {"config",
         config_seeds,
         {"first", "more", "kernel", "padding", "Same", "\"inf\"", "\"nan\"", "null", "true", "1e308", "-1", "[", "]",
          "{", "}", "\\ud83d"},
         run_config,
         nullptr,
         256},
    };
}

}  // namespace

std::span<const Target> reader_targets() {
    static const std::vector<Target> targets = make_targets();
    return targets;
}

}  // namespace burn::fuzz
