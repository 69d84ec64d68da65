#include "tests/fuzz/programs/recorder.h"

namespace burn::fuzz {

class Recorder::Recorded final : public ops::EngineTensor {
public:
    Recorded(Recorder& recorder, const TensorSpec& spec, ValueId value, std::uint64_t epoch)
        : EngineTensor(recorder, spec), value(value), epoch_(epoch) {}
    ~Recorded() override {
        if (!given_away) static_cast<Recorder&>(engine()).dropped(value, epoch_);
    }

    const ValueId value;
    bool given_away = false;

private:
    std::uint64_t epoch_;
};

Recorder& Recorder::instance() {
    static auto* recorder = new Recorder;
    return *recorder;
}

void Recorder::begin() {
    program_ = {};
    oracle_ = std::make_unique<Oracle>();
    random_ = {17, 0};
    next_ = 0;
    thread_ = 0;
    ++epoch_;
    recording_ = true;
}

Program Recorder::end() {
    recording_ = false;
    return std::move(program_);
}

ValueId Recorder::value_of(const ops::Handle& tensor) { return static_cast<Recorded&>(tensor.tensor()).value; }

ops::Handle Recorder::make(const TensorSpec& spec) {
    return ops::Handle(make_ref<Recorded>(*this, spec, next_++, epoch_));
}

void Recorder::dropped(ValueId value, std::uint64_t epoch) {
    if (!recording_ || epoch != epoch_) return;
    Line line;
    line.kind = Line::Kind::Drop;
    line.thread = thread_;
    line.operands.push_back({value, false});
    program_.lines.push_back(std::move(line));
}

ops::Handle Recorder::input(const Source& source) {
    Line line;
    line.thread = thread_;
    line.source = source;
    line.results.push_back(next_);
    oracle_->step(line);
    program_.lines.push_back(std::move(line));
    return make(source.spec);
}

void Recorder::record_read(const ops::Handle& tensor) {
    Line line;
    line.kind = Line::Kind::Read;
    line.thread = thread_;
    line.operands.push_back({value_of(tensor), false});
    program_.lines.push_back(std::move(line));
}

ops::HandleList Recorder::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    Line line;
    line.kind = Line::Kind::Apply;
    line.thread = thread_;
    line.op = op;
    for (const ops::Handle& input : inputs) line.operands.push_back({value_of(input), input.unique()});
    for (std::size_t i = 0; i < results.size(); ++i) line.results.push_back(next_ + static_cast<ValueId>(i));
    oracle_->step(line);
    for (const ops::Handle& input : inputs) {
        if (input.unique()) static_cast<Recorded&>(input.tensor()).given_away = true;
    }
    program_.lines.push_back(std::move(line));
    ops::HandleList made;
    for (const TensorSpec& spec : results) made.push_back(make(spec));
    return made;
}

ops::Handle Recorder::upload(TensorData) {
    raise(ErrorKind::Internal,
          Message() << "recorder: data of unknown origin; programs name the source of their inputs");
}

Pending<TensorData> Recorder::read(ops::Handle) {
    raise(ErrorKind::Internal, Message() << "recorder: a program has no values while it is drawn");
}

ops::RandomState Recorder::take_random(std::uint64_t blocks) {
    const ops::RandomState before = random_;
    random_.counter += blocks;
    return before;
}

}  // namespace burn::fuzz
