#include <burn/tensor/transaction.h>

namespace burn {

namespace {

TensorDataList wait_for_all(SmallVector<Pending<TensorData>, 4>& reads) {
    TensorDataList values;
    for (Pending<TensorData>& read : reads) values.push_back(std::move(read).wait());
    reads.clear();
    return values;
}

class AllReads final : public Pending<TensorDataList>::Source {
public:
    explicit AllReads(SmallVector<Pending<TensorData>, 4> reads) : reads_(std::move(reads)) {}

    bool ready() const override {
        for (const Pending<TensorData>& read : reads_) {
            if (!read.ready()) return false;
        }
        return true;
    }
    TensorDataList wait() override { return wait_for_all(reads_); }

private:
    SmallVector<Pending<TensorData>, 4> reads_;
};

}  // namespace

Transaction& Transaction::add(const ops::Handle& tensor) {
    if (!tensor) raise(ErrorKind::Argument, Message() << "Transaction: the tensor is empty (moved from, or never set)");
    reads_.push_back(tensor.engine().read(tensor));
    return *this;
}

TensorDataList Transaction::execute() { return wait_for_all(reads_); }

Pending<TensorDataList> Transaction::execute_async() {
    return Pending<TensorDataList>(Ref<Pending<TensorDataList>::Source>(make_ref<AllReads>(std::move(reads_))));
}

}  // namespace burn
