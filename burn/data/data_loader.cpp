#include <burn/data/data_loader.h>

#include <algorithm>
#include <numeric>

namespace burn::data::detail {

EpochPlan::EpochPlan(std::size_t items, const DataLoaderOptions& options, std::size_t epoch)
    : batch_size_(options.batch_size) {
    if (options.shuffle_seed) {
        order_ = random_permutation(items, *options.shuffle_seed, epoch);
    } else {
        order_.resize(items);
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    if (options.drop_last) order_.resize(items - items % batch_size_);
    progress_.items_total = order_.size();
    progress_.batches_total = batches_of(order_.size(), batch_size_);
}

std::span<const std::size_t> EpochPlan::indices(std::size_t batch) const {
    const std::size_t begin = batch * batch_size_;
    return std::span(order_).subspan(begin, std::min(batch_size_, order_.size() - begin));
}

}  // namespace burn::data::detail
