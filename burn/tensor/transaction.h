#pragma once

#include <burn/tensor/tensor.h>

namespace burn {

using TensorDataList = SmallVector<TensorData, 4>;

/// Several reads at the price of one wait: each is started when it is added, all are waited for together.
///
/// Example   Transaction reads;
///           reads.add(loss).add(accuracy);
///           TensorDataList values = reads.execute();
class Transaction {
public:
    /// Starts the read of a tensor, of any rank, kind and backend.
    template <Backend B, std::size_t D, TensorKind K>
    Transaction& add(const Tensor<B, D, K>& tensor) {
        return add(tensor.handle());
    }
    Transaction& add(const ops::Handle& tensor);

    std::size_t size() const { return reads_.size(); }

    /// Waits for all values and gives them in the order in which they were added; the transaction is empty afterwards.
    ///
    /// Errors    the first error of what the tensors depend on
    TensorDataList execute();
    /// The same as a value to wait for later.
    Pending<TensorDataList> execute_async();

private:
    SmallVector<Pending<TensorData>, 4> reads_;
};

}  // namespace burn
