#include <burn/backends/cpu/libraries/onednn_convolution.h>

#include <burn/backends/cpu/libraries/onednn.h>
#include <burn/backends/cpu/libraries/onednn_library.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/error.h>
#include <burn/base/parallel.h>

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_version.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

static_assert(DNNL_VERSION_MAJOR == 2, "CMakeLists.txt looks for the headers of version 2");

namespace burn::cpu {

namespace {

using ndarray::Conv2dShape;
using ndarray::Convolution;
using ndarray::ConvolutionKind;
using ndarray::Scratch;

#define BURN_ONEDNN_ENTRIES(ENTRY)                        \
    ENTRY(engine_create)                                  \
    ENTRY(stream_create)                                  \
    ENTRY(stream_destroy)                                 \
    ENTRY(primitive_attr_create)                          \
    ENTRY(primitive_attr_set_scratchpad_mode)             \
    ENTRY(memory_desc_init_by_tag)                        \
    ENTRY(memory_desc_equal)                              \
    ENTRY(memory_desc_get_size)                           \
    ENTRY(memory_create)                                  \
    ENTRY(memory_destroy)                                 \
    ENTRY(dilated_convolution_forward_desc_init)          \
    ENTRY(dilated_convolution_backward_data_desc_init)    \
    ENTRY(dilated_convolution_backward_weights_desc_init) \
    ENTRY(primitive_desc_create)                          \
    ENTRY(primitive_desc_query_md)                        \
    ENTRY(primitive_desc_destroy)                         \
    ENTRY(reorder_primitive_desc_create)                  \
    ENTRY(primitive_create)                               \
    ENTRY(primitive_destroy)                              \
    ENTRY(primitive_execute)

/// oneDNN's functions, its engine for the processor and how we want primitives: with working memory that we give them, so that
/// threads share them.
struct Dnn {
#define BURN_ONEDNN_MEMBER(NAME) decltype(&::dnnl_##NAME) NAME = nullptr;
    BURN_ONEDNN_ENTRIES(BURN_ONEDNN_MEMBER)
#undef BURN_ONEDNN_MEMBER

    dnnl_engine_t engine = nullptr;
    dnnl_primitive_attr_t attributes = nullptr;
    std::string reason;

    Dnn() {
        if (!has_onednn()) {
            reason = why_no_onednn();
            return;
        }
        if (!onednn_version().starts_with("2.")) {
            reason = "version " + onednn_version() + " is there, but this build is for version 2";
            return;
        }
        bool complete = true;
#define BURN_ONEDNN_FIND(NAME)                           \
    onednn_library().find_optional("dnnl_" #NAME, NAME); \
    complete = complete && NAME != nullptr;
        BURN_ONEDNN_ENTRIES(BURN_ONEDNN_FIND)
#undef BURN_ONEDNN_FIND
        if (!complete) {
            reason = "entries are missing";
        } else if (engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
                   primitive_attr_create(&attributes) != dnnl_success ||
                   primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) != dnnl_success) {
            reason = "it has no engine for the processor";
        }
    }
};

#undef BURN_ONEDNN_ENTRIES

const Dnn& dnn() {
    static const Dnn& instance = *new Dnn;  // NOLINT: threads may outlive main
    return instance;
}

void require(dnnl_status_t status, const char* what) {
    if (status == dnnl_success) return;
    raise(ErrorKind::Unsupported,
          Message() << "conv: oneDNN: " << what << " failed with status " << static_cast<int>(status));
}

/// Bytes that oneDNN reads or writes, described.
class Memory {
public:
    Memory(const dnnl_memory_desc_t& description, void* data) {
        require(dnn().memory_create(&memory_, &description, dnn().engine, data), "memory");
    }
    ~Memory() { dnn().memory_destroy(memory_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    dnnl_memory_t get() const { return memory_; }

private:
    dnnl_memory_t memory_ = nullptr;
};

/// Something that oneDNN can run, and what its tensors look like.
class Primitive {
public:
    /// Takes the description.
    explicit Primitive(dnnl_primitive_desc_t description) : description_(description) {
        const dnnl_status_t status = dnn().primitive_create(&primitive_, description);
        if (status != dnnl_success) dnn().primitive_desc_destroy(description);
        require(status, "primitive");
    }
    ~Primitive() {
        dnn().primitive_destroy(primitive_);
        dnn().primitive_desc_destroy(description_);
    }
    Primitive(const Primitive&) = delete;
    Primitive& operator=(const Primitive&) = delete;

    const_dnnl_primitive_desc_t description() const { return description_; }
    const dnnl_memory_desc_t& tensor(dnnl_query_t which) const {
        return *dnn().primitive_desc_query_md(description_, which, 0);
    }

    void run(std::vector<dnnl_exec_arg_t> arguments) const {
        const dnnl_memory_desc_t& scratch = tensor(dnnl_query_scratchpad_md);
        Scratch<std::byte> room(static_cast<std::int64_t>(dnn().memory_desc_get_size(&scratch)));
        const Memory scratch_memory(scratch, room.data());
        arguments.push_back({DNNL_ARG_SCRATCHPAD, scratch_memory.get()});
        require(dnn().primitive_execute(primitive_, stream(), static_cast<int>(arguments.size()), arguments.data()),
                "execution");
    }

private:
    /// Where a thread's work goes; ends with the thread.
    struct Stream {
        Stream() { require(dnn().stream_create(&stream, dnn().engine, dnnl_stream_default_flags), "stream"); }
        ~Stream() { dnn().stream_destroy(stream); }
        Stream(const Stream&) = delete;
        Stream& operator=(const Stream&) = delete;

        dnnl_stream_t stream = nullptr;
    };

    static dnnl_stream_t stream() {
        thread_local const Stream mine;
        return mine.stream;
    }

    dnnl_primitive_desc_t description_;
    dnnl_primitive_t primitive_ = nullptr;
};

dnnl_memory_desc_t describe(std::initializer_list<std::int64_t> sizes, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t description;
    dnnl_dims_t dims = {};
    std::copy(sizes.begin(), sizes.end(), dims);
    require(dnn().memory_desc_init_by_tag(&description, static_cast<int>(sizes.size()), dims, dnnl_f32, tag),
            "description");
    return description;
}

/// A tensor as it lies in memory, and as oneDNN wants it.
struct Side {
    dnnl_memory_desc_t plain;
    dnnl_memory_desc_t wanted;
    int argument = 0;
    std::unique_ptr<Primitive> reorder;  ///< null where both are the same

    void choose(const Primitive& convolution, dnnl_query_t which, bool is_result) {
        wanted = convolution.tensor(which);
        if (dnn().memory_desc_equal(&plain, &wanted) != 0) return;
        dnnl_primitive_desc_t description = nullptr;
        const dnnl_memory_desc_t &from = is_result ? wanted : plain, &to = is_result ? plain : wanted;
        require(
            dnn().reorder_primitive_desc_create(&description, &from, dnn().engine, &to, dnn().engine, dnn().attributes),
            "reorder");
        reorder = std::make_unique<Primitive>(description);
    }

    std::int64_t copy_size() const {
        return reorder ? static_cast<std::int64_t>(dnn().memory_desc_get_size(&wanted)) : 0;
    }
};

/// A convolution of one shape, ready to run on any thread.
class Plan {
public:
    Plan(ConvolutionKind kind, const Conv2dShape& s) {
        const auto tensors = [&](bool any) {
            const std::int64_t groups = s.groups, out = s.group_out(), in = s.group_in();
            const auto tag = [&](dnnl_format_tag_t plain) { return any ? dnnl_format_tag_any : plain; };
            struct Descriptions {
                dnnl_memory_desc_t x, w, y;
            };
            return Descriptions{describe({s.batch, s.in_channels, s.h.in, s.w.in}, tag(dnnl_nchw)),
                                groups == 1 ? describe({out, in, s.h.kernel, s.w.kernel}, tag(dnnl_oihw))
                                            : describe({groups, out, in, s.h.kernel, s.w.kernel}, tag(dnnl_goihw)),
                                describe({s.batch, s.out_channels, s.h.out(), s.w.out()}, tag(dnnl_nchw))};
        };
        const auto plain = tensors(false), any = tensors(true);
        // Forward first: the gradients are described with it as a hint.
        convolution_ = std::make_unique<Primitive>(create(s, ConvolutionKind::Forward, any.x, any.w, any.y, nullptr));
        switch (kind) {
            case ConvolutionKind::Forward:
                set(plain.x, dnnl_query_src_md, DNNL_ARG_SRC, plain.w, dnnl_query_weights_md, DNNL_ARG_WEIGHTS, plain.y,
                    dnnl_query_dst_md, DNNL_ARG_DST);
                break;
            case ConvolutionKind::InputGrad:
                replace(s, kind, any.x, any.w, any.y);
                set(plain.y, dnnl_query_diff_dst_md, DNNL_ARG_DIFF_DST, plain.w, dnnl_query_weights_md,
                    DNNL_ARG_WEIGHTS, plain.x, dnnl_query_diff_src_md, DNNL_ARG_DIFF_SRC);
                break;
            case ConvolutionKind::WeightGrad:
                replace(s, kind, any.x, any.w, any.y);
                set(plain.x, dnnl_query_src_md, DNNL_ARG_SRC, plain.y, dnnl_query_diff_dst_md, DNNL_ARG_DIFF_DST,
                    plain.w, dnnl_query_diff_weights_md, DNNL_ARG_DIFF_WEIGHTS);
                break;
        }
    }

    void run(const std::byte* left, const std::byte* right, std::byte* result) const {
        const std::byte* data[] = {left, right};
        Scratch<std::byte> left_copy(sides_[0].copy_size()), right_copy(sides_[1].copy_size());
        Scratch<std::byte> result_copy(sides_[2].copy_size());
        std::byte* copies[] = {left_copy.data(), right_copy.data()};
        for (int i = 0; i < 2; ++i) {
            if (!sides_[i].reorder) continue;
            reorder(*sides_[i].reorder, sides_[i].plain, data[i], sides_[i].wanted, copies[i]);
            data[i] = copies[i];
        }
        std::byte* to = sides_[2].reorder ? result_copy.data() : result;
        const Memory a(sides_[0].wanted, const_cast<std::byte*>(data[0]));
        const Memory b(sides_[1].wanted, const_cast<std::byte*>(data[1]));
        const Memory c(sides_[2].wanted, to);
        convolution_->run(
            {{sides_[0].argument, a.get()}, {sides_[1].argument, b.get()}, {sides_[2].argument, c.get()}});
        if (sides_[2].reorder) reorder(*sides_[2].reorder, sides_[2].wanted, to, sides_[2].plain, result);
    }

private:
    static dnnl_primitive_desc_t create(const Conv2dShape& s, ConvolutionKind kind, const dnnl_memory_desc_t& x,
                                        const dnnl_memory_desc_t& w, const dnnl_memory_desc_t& y,
                                        const_dnnl_primitive_desc_t hint) {
        const dnnl_dims_t strides = {s.h.stride, s.w.stride}, dilations = {s.h.dilation - 1, s.w.dilation - 1};
        const dnnl_dims_t before = {s.h.pad_before, s.w.pad_before}, after = {s.h.pad_after, s.w.pad_after};
        dnnl_convolution_desc_t description;
        dnnl_status_t status = dnnl_success;
        switch (kind) {
            case ConvolutionKind::Forward:
                status = dnn().dilated_convolution_forward_desc_init(&description, dnnl_forward_training,
                                                                     dnnl_convolution_direct, &x, &w, nullptr, &y,
                                                                     strides, dilations, before, after);
                break;
            case ConvolutionKind::InputGrad:
                status = dnn().dilated_convolution_backward_data_desc_init(&description, dnnl_convolution_direct, &x,
                                                                           &w, &y, strides, dilations, before, after);
                break;
            case ConvolutionKind::WeightGrad:
                status = dnn().dilated_convolution_backward_weights_desc_init(
                    &description, dnnl_convolution_direct, &x, &w, nullptr, &y, strides, dilations, before, after);
                break;
        }
        require(status, "description of a convolution");
        dnnl_primitive_desc_t made = nullptr;
        require(dnn().primitive_desc_create(&made, &description, dnn().attributes, dnn().engine, hint),
                "choice of an algorithm");
        return made;
    }

    void replace(const Conv2dShape& s, ConvolutionKind kind, const dnnl_memory_desc_t& x, const dnnl_memory_desc_t& w,
                 const dnnl_memory_desc_t& y) {
        convolution_ = std::make_unique<Primitive>(create(s, kind, x, w, y, convolution_->description()));
    }

    void set(const dnnl_memory_desc_t& left, dnnl_query_t left_query, int left_argument,
             const dnnl_memory_desc_t& right, dnnl_query_t right_query, int right_argument,
             const dnnl_memory_desc_t& result, dnnl_query_t result_query, int result_argument) {
        const auto side = [&](Side& at, const dnnl_memory_desc_t& plain, dnnl_query_t query, int argument) {
            at.plain = plain;
            at.argument = argument;
            at.choose(*convolution_, query, &at == &sides_[2]);
        };
        side(sides_[0], left, left_query, left_argument);
        side(sides_[1], right, right_query, right_argument);
        side(sides_[2], result, result_query, result_argument);
    }

    static void reorder(const Primitive& primitive, const dnnl_memory_desc_t& from, const std::byte* data,
                        const dnnl_memory_desc_t& to, std::byte* copy) {
        const Memory source(from, const_cast<std::byte*>(data)), target(to, copy);
        primitive.run({{DNNL_ARG_FROM, source.get()}, {DNNL_ARG_TO, target.get()}});
    }

    std::unique_ptr<Primitive> convolution_;
    Side sides_[3];  ///< left, right, result
};

/// Plans by kind and shape; making one takes longer than many convolutions. Null where oneDNN refuses.
std::shared_ptr<const Plan> plan_of(ConvolutionKind kind, const Conv2dShape& s) {
    static constexpr std::size_t kMost = 256;
    static std::mutex& mutex = *new std::mutex;  // NOLINT: threads may outlive main
    static auto& plans = *new std::map<std::vector<std::int64_t>, std::shared_ptr<const Plan>>;  // NOLINT: likewise
    std::vector<std::int64_t> key = {static_cast<std::int64_t>(kind), s.batch, s.in_channels, s.out_channels, s.groups};
    for (const ndarray::ConvAxis& axis : {s.h, s.w}) {
        key.insert(key.end(), {axis.in, axis.kernel, axis.stride, axis.dilation, axis.pad_before, axis.pad_after});
    }
    const std::lock_guard lock(mutex);
    if (const auto found = plans.find(key); found != plans.end()) return found->second;
    if (plans.size() >= kMost) plans.clear();
    std::shared_ptr<const Plan>& plan = plans[key];
    try {
        const OneThread one_thread;  // plans are made for a number of threads
        plan = std::make_shared<const Plan>(kind, s);
    } catch (const UnsupportedError&) {
        plan = nullptr;  // which is found the next time
    }
    return plan;
}

/// Images are cut into as many pieces as there are threads.
std::int64_t pieces_of(const Conv2dShape& s) { return std::min<std::int64_t>(num_threads(), s.batch); }

Conv2dShape piece_of(const Conv2dShape& s, std::int64_t pieces, std::int64_t piece) {
    Conv2dShape part = s;
    part.batch = ndarray::cut(s.batch, pieces, piece + 1) - ndarray::cut(s.batch, pieces, piece);
    return part;
}

}  // namespace

std::string why_no_onednn_convolution() { return dnn().reason; }

bool onednn_can_convolve(const Convolution& convolution) {
    const Conv2dShape& s = convolution.shape;
    const bool is_something = s.batch > 0 && s.group_in() > 0 && s.group_out() > 0 && s.h.out() > 0 && s.w.out() > 0;
    if (convolution.dtype != DType::F32 || !is_something || !dnn().reason.empty()) return false;
    const std::int64_t pieces = pieces_of(s);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        if (plan_of(convolution.kind, piece_of(s, pieces, piece)) == nullptr) return false;
    }
    return true;
}

void onednn_convolve(const Convolution& convolution) {
    const Conv2dShape& s = convolution.shape;
    const std::int64_t x_size = s.in_channels * s.h.in * s.w.in * 4,
                       y_size = s.out_channels * s.h.out() * s.w.out() * 4;
    const std::int64_t w_count = s.out_channels * s.taps();
    const bool of_weights = convolution.kind == ConvolutionKind::WeightGrad;
    // Bytes from one image to the next, of the operands and the result.
    const std::int64_t left = convolution.kind == ConvolutionKind::InputGrad ? y_size : x_size;
    const std::int64_t right = of_weights ? y_size : 0;
    const std::int64_t result = of_weights ? 0 : convolution.kind == ConvolutionKind::Forward ? y_size : x_size;
    const std::int64_t pieces = pieces_of(s);
    Scratch<float> sums(of_weights ? (pieces - 1) * w_count : 0);
    parallel_for(pieces, 1, [&](std::int64_t first, std::int64_t last) {
        const OneThread one_thread;
        for (std::int64_t piece = first; piece < last; ++piece) {
            const std::int64_t begin = ndarray::cut(s.batch, pieces, piece);
            std::byte* to = convolution.result + begin * result;
            if (of_weights && piece > 0) to = reinterpret_cast<std::byte*>(sums.data() + (piece - 1) * w_count);
            const std::shared_ptr<const Plan> plan = plan_of(convolution.kind, piece_of(s, pieces, piece));
            if (plan == nullptr) raise(ErrorKind::Unsupported, Message() << "conv: oneDNN has no algorithm for it");
            plan->run(convolution.left + begin * left, convolution.right + begin * right, to);
        }
    });
    if (!of_weights) return;
    auto* total = reinterpret_cast<float*>(convolution.result);
    for (std::int64_t piece = 0; piece < pieces - 1; ++piece) {
        for (std::int64_t i = 0; i < w_count; ++i) total[i] += sums[piece * w_count + i];
    }
}

}  // namespace burn::cpu
