#include <burn/store/atomic_file.h>
#include <burn/store/byte_sink.h>

#include <algorithm>
#include <string>

namespace burn::store {

void write_padding(ByteSink sink, std::uint64_t count, char filling) {
    const std::string piece(static_cast<std::size_t>(count), filling);  // never more than an alignment
    sink(std::as_bytes(std::span(piece)));
}

void write_values(ByteSink sink, const TensorPlan& plan) {
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < plan.order.size(); ++i) {
        const std::vector<std::uint64_t>& offsets = plan.directory.tensors[i].offsets;
        write_padding(sink, offsets[0] - written, '\0');
        sink(plan.order[i]->data.bytes());
        written = offsets[1];
    }
}

void write_atomically(const std::string& path, FunctionRef<void(ByteSink)> write) {
    AtomicFile file(path);
    write([&](std::span<const std::byte> bytes) { file.write(bytes); });
    file.commit();
}

std::vector<std::byte> collect_bytes(FunctionRef<void(ByteSink)> write) {
    std::vector<std::byte> all;
    write([&](std::span<const std::byte> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); });
    return all;
}

}  // namespace burn::store
