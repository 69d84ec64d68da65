#include <burn/backends/cpu/product_candidates.h>

#include <burn/backends/cpu/libraries/blas_product.h>
#include <burn/backends/cpu/libraries/onednn.h>
#include <burn/backends/cpu/libraries/openblas.h>
#include <burn/backends/cpu/processor.h>
#include <burn/backends/cpu/shipped_choices.h>
#include <burn/base/cpu_features.h>
#include <burn/base/error.h>
#include <burn/base/memory.h>
#include <burn/base/parallel.h>

#include <cstring>

namespace burn::cpu {

namespace {

using autotune::bucket;
using ndarray::Product;

constexpr std::size_t kOurs = 0, kOpenBlas = 1, kOneDnn = 2;

constexpr autotune::Candidate kCandidates[] = {
    {"ours", true, our_kernels_version, [] { return std::string(); }},
    {"openblas", false, openblas_version, why_no_openblas},
    {"onednn", false, onednn_version, why_no_onednn},
};

/// Multiplications of a product that is run by ours without asking, where a table would choose: 64 x 64 x 64.
constexpr std::int64_t kSmall = std::int64_t{1} << 18;

/// How an operand lies in memory: along its rows, along its columns, or neither.
const char* order_of(const ndarray::AnyMatrix& matrix) {
    return matrix.col_stride == 1 ? "rows" : matrix.row_stride == 1 ? "columns" : "strided";
}

autotune::Key key_of(const Product& product) {
    return autotune::Key()
        .add("isa", isa_name(active_isa()))
        .add("dtype", name_of(product.dtype))
        .add("batch", bucket(batch_size(product.batch)))
        .add("m", bucket(product.shape.m))
        .add("n", bucket(product.shape.n))
        .add("k", bucket(product.shape.k))
        .add("a", order_of(product.a))
        .add("b", order_of(product.b))
        .add("accumulate", product.accumulate)
        .add("threads", num_threads());
}

/// Runs a product into memory of its own, since what it adds to must not change.
class Trial {
public:
    explicit Trial(const Product& product) : product_(product) {}

    void run(std::size_t candidate) {
        if (!room_) make_room();
        Product trial = product_;
        trial.c.data = room_->data();
        trial.finished = nullptr;
        multiply_by(candidate, trial);
    }

private:
    /// As much as lies between the first and the last element of the results, which are contiguous.
    void make_room() {
        std::int64_t last =
            (product_.shape.m - 1) * product_.c.row_stride + (product_.shape.n - 1) * product_.c.col_stride;
        for (int axis = 0; axis < product_.batch.rank; ++axis) {
            last += (product_.batch.sizes[axis] - 1) * product_.batch.c_strides[axis];
        }
        const std::size_t bytes = static_cast<std::size_t>(last + 1) * size_of(product_.dtype);
        room_ = Block::make(bytes);
        if (product_.accumulate) std::memcpy(room_->data(), product_.c.data, bytes);
    }

    const Product& product_;
    Ref<Block> room_;
};

autotune::Tuner& tuner() {
    static autotune::Tuner& instance =  // NOLINT: threads may outlive main
        *new autotune::Tuner("matmul", processor_name(), kCandidates, autotune::host_timer(),
                             &autotune::ranking_store());
    return instance;
}

}  // namespace

std::span<const autotune::Candidate> product_candidates() { return kCandidates; }

bool can_multiply(std::size_t candidate, const Product& product) {
    switch (candidate) {
        case kOurs: return true;
        case kOpenBlas: {
            const bool has_type = product.dtype == DType::F32 || product.dtype == DType::F64;
            return has_type && fits_blas(product) && has_openblas();
        }
        case kOneDnn: return product.dtype == DType::F32 && fits_blas(product) && has_onednn();
        default: return false;
    }
}

void multiply_by(std::size_t candidate, const Product& product) {
    require_internal(can_multiply(candidate, product), "matmul: the candidate cannot run this product");
    switch (candidate) {
        case kOpenBlas:
            if (product.dtype == DType::F64) {
                for_each_blas_product<double>(product, [](const BlasProduct<double>& one) { openblas_multiply(one); });
            } else {
                for_each_blas_product<float>(product, [](const BlasProduct<float>& one) { openblas_multiply(one); });
            }
            break;
        case kOneDnn: for_each_blas_product<float>(product, onednn_multiply); break;
        default: ndarray::multiply(product);
    }
}

void multiply_by_best(const Product& product) {
    const bool is_empty =
        product.shape.m < 1 || product.shape.n < 1 || product.shape.k < 1 || batch_size(product.batch) < 1;
    if (is_empty || !is_float(product.dtype)) return multiply_by(kOurs, product);
    // Asking takes a fifth of a microsecond, as long as a small product.
    const std::int64_t work = batch_size(product.batch) * product.shape.m * product.shape.n * product.shape.k;
    if (work <= kSmall && autotune::choices_are_shipped()) return ndarray::multiply(product);
    Trial trial(product);
    multiply_by(tuner().choose({key_of(product), shipped_choice(product),
                                [&](std::size_t candidate) { return can_multiply(candidate, product); },
                                [&](std::size_t candidate) { trial.run(candidate); }}),
                product);
}

}  // namespace burn::cpu
