#include <burn/base/error.h>
#include <burn/store/quote.h>
#include <burn/store/tensor_directory.h>

#include <algorithm>

namespace burn::store {

namespace {

std::uint64_t text_size(const TensorFileContents& contents) {
    std::uint64_t size = 0;
    for (const NamedTensor& tensor : contents.tensors) size += tensor.name.size();
    for (const auto& [key, value] : contents.metadata) size += key.size() + value.size();
    for (const auto& [name, value] : contents.scalars) size += name.size();
    return size;
}

}  // namespace

TensorPlan plan_tensors(const TensorFileContents& contents, DTypeNames dtypes, std::uint64_t alignment,
                        std::uint64_t largest, const char* format) {
    if (text_size(contents) > largest) {
        raise(ErrorKind::Argument, Message() << format << ": names and metadata take " << text_size(contents)
                                             << " bytes; expected at most " << largest);
    }
    const auto require_utf8 = [&](const std::string& text) {
        if (is_utf8(text)) return;
        raise(ErrorKind::Argument, Message() << format << ": the name " << quote(text).c_str() << " is not UTF-8");
    };
    TensorPlan plan;
    for (const NamedTensor& tensor : contents.tensors) {
        require_utf8(tensor.name);
        plan.order.push_back(&tensor);
    }
    std::sort(plan.order.begin(), plan.order.end(), [](const NamedTensor* a, const NamedTensor* b) {
        const std::size_t width_a = size_of(a->data.dtype()), width_b = size_of(b->data.dtype());
        return width_a != width_b ? width_a > width_b : a->name < b->name;
    });
    std::vector<std::string_view> names;
    for (const NamedTensor* tensor : plan.order) names.push_back(tensor->name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        raise(ErrorKind::Argument, Message() << format << ": two tensors have the name " << quote(*twice).c_str());
    }

    for (const NamedTensor* tensor : plan.order) {
        TensorDescription description;
        description.name = tensor->name;
        description.dtype = stored_name(dtypes, tensor->data.dtype());
        for (std::int64_t size : tensor->data.shape()) description.shape.push_back(static_cast<std::uint64_t>(size));
        const std::uint64_t begin = (plan.data_size + alignment - 1) / alignment * alignment;
        plan.data_size = begin + tensor->data.bytes().size();
        description.offsets = {begin, plan.data_size};
        description.param_id = tensor->param_id;
        plan.directory.tensors.push_back(std::move(description));
    }
    for (const auto& [key, value] : contents.metadata) {
        require_utf8(key);
        require_utf8(value);
    }
    for (const auto& [name, value] : contents.scalars) require_utf8(name);
    plan.directory.metadata = contents.metadata;
    plan.directory.scalars = contents.scalars;
    return plan;
}

}  // namespace burn::store
