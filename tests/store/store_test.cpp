#include <burn/store/store.h>

#include <burn/nn/linear.h>
#include <burn/optim/adam.h>
#include <burn/optim/lr_scheduler.h>

#include "tests/module/sample_modules.h"
#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

namespace burn::store_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using A = Autodiff<NdArray>;

const char* const kExtensions[] = {".bpk", ".safetensors"};

TEST(SaveAndLoad, AModuleComesBack) {
    ScratchFolder folder;
    Device<A> device;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("model") + extension);
        const auto source = sample::make_everything<A>(device);
        save(source, path);
        auto target = sample::make_everything<A>(device);
        target.first.weight.set_value(Tensor<A, 2>::zeros({2, 3}, device));
        target.wrapped.inner = target.first;
        const LoadReport report = load(target, path);
        EXPECT_EQ(report.applied.size(), 8u);
        EXPECT_EQ(target.first.weight.value().to_data(), source.first.weight.value().to_data());
        EXPECT_EQ(target.layers[1].weight.id(), source.layers[1].weight.id());
        EXPECT_TRUE(target.first.weight.tied_to(target.wrapped.inner.weight));
    }
}

TEST(SaveAndLoad, WhatDoesNotFitNamesTheFile) {
    ScratchFolder folder;
    const std::string path = folder.path("model.bpk");
    save(sample::make_affine<A>(1, Device<A>()), path);
    auto module = sample::make_everything<A>(Device<A>());
    EXPECT_THAT(
        message_of(ErrorKind::Record, [&] { load(module, path); }),
        AllOf(HasSubstr("load: \"" + path + "\" does not fit the module: 0 applied, 8 missing, 2 unused, 0 mismatched"),
              HasSubstr("missing \"first.weight\" (did you mean \"weight\"?)")));
}

// Were ids lost on load, an optimiser's state would lose its parameters and its file grow.
TEST(SaveAndLoad, IdsAndFileSizesStayThroughRestarts) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("model") + extension);
        auto first = sample::make_everything<A>(Device<A>());
        save(first, path);
        const std::string bytes = folder.read(std::string("model") + extension);
        for (int restart = 0; restart < 5; ++restart) {
            auto next = sample::make_everything<A>(Device<A>());  // has new ids
            load(next, path);
            EXPECT_EQ(next.first.weight.id(), first.first.weight.id());
            save(next, path);
        }
        EXPECT_EQ(folder.read(std::string("model") + extension), bytes);
    }
}

/// Something with a state that is no module.
struct Counter {
    std::int64_t steps = 0;
    Record record() const {
        Record record;
        record.add("steps", steps);
        return record;
    }
    void load_record(const Record& record) { steps = record.number("steps").as<std::int64_t>(); }
};

TEST(SaveAndLoad, WhateverGivesARecord) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("counter") + extension);
        save(Counter{42}, path);
        Counter counter;
        load(counter, path);
        EXPECT_EQ(counter.steps, 42);
        save(Record(), path);
        EXPECT_EQ(message_of(ErrorKind::Record, [&] { load(counter, path); }),
                  "load: \"" + path + "\": record: there is no number \"steps\"");
    }
}

// Adam over two layers: its moments belong to parameters, which must be found again.

struct Net {
    nn::Linear<A> inner, outer;
    BURN_MODULE(Net, inner, outer)
};

Net make_net() {
    Device<A> device;
    return {nn::LinearConfig{3, 4}.init(device), nn::LinearConfig{4, 1}.init(device)};
}

Net trained(Net net, optim::Optimizer& optimizer) {
    const auto input = Tensor<A, 2>::from_data(TensorData::from<float>({{1, 2, 3}, {-1, 0.5, 2}}), Device<A>());
    const auto loss = net.outer.forward(net.inner.forward(input).tanh()).square().sum();
    auto gradients = optim::GradientsParams::from_grads(loss.backward(), net);
    return optimizer.step(0.01, std::move(net), std::move(gradients));
}

void expect_same_values(const Net& a, const Net& b) {
    const Record left = to_record(a), right = to_record(b);
    ASSERT_EQ(left.tensors().size(), 4u);
    for (const Record::Tensor& tensor : left.tensors()) {
        EXPECT_EQ(right.tensor(tensor.path.text()).read(), tensor.read()) << tensor.path.text();
    }
}

TEST(SaveAndLoad, AsTheBookShowsIt) {
    ScratchFolder folder;
    const std::string path = folder.path("net.bpk");
    const Net net = make_net();
    burn::save(net, path);
    Net other = make_net();
    const burn::LoadReport report = burn::load(other, path);
    EXPECT_EQ(report.applied.size(), 4u);
    expect_same_values(other, net);
}

TEST(SaveAndLoad, AnOptimiserGoesOnWhereItStopped) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string model_path = folder.path(std::string("model") + extension);
        const std::string optimizer_path = folder.path(std::string("optimizer") + extension);
        optim::Optimizer optimizer = optim::AdamConfig().init();
        const Net once = trained(make_net(), optimizer);
        save(once, model_path);
        save(optimizer, optimizer_path);
        const Net twice = trained(once, optimizer);

        // As another process has it: parameters made anew, in another order and so with other ids.
        Net resumed;
        resumed.outer = nn::LinearConfig{4, 1}.init(Device<A>());
        resumed.inner = nn::LinearConfig{3, 4}.init(Device<A>());
        optim::Optimizer other = optim::AdamConfig().init();
        load(resumed, model_path);
        load(other, optimizer_path);
        expect_same_values(trained(resumed, other), twice);
    }
}

TEST(SaveAndLoad, AnOptimisersFileDoesNotGrow) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string model_name = std::string("model") + extension,
                          optimizer_name = std::string("optimizer") + extension;
        optim::Optimizer first = optim::AdamConfig().init();
        save(trained(make_net(), first), folder.path(model_name));
        save(first, folder.path(optimizer_name));
        const std::size_t size = folder.read(optimizer_name).size();
        for (int restart = 0; restart < 5; ++restart) {
            Net net = make_net();
            optim::Optimizer optimizer = optim::AdamConfig().init();
            load(net, folder.path(model_name));
            load(optimizer, folder.path(optimizer_name));
            save(trained(net, optimizer), folder.path(model_name));
            save(optimizer, folder.path(optimizer_name));
            EXPECT_EQ(folder.read(optimizer_name).size(), size);
        }
    }
}

TEST(SaveAndLoad, TheStateOfAnotherOptimiserIsRefused) {
    ScratchFolder folder;
    save(make_net(), folder.path("model.bpk"));
    optim::Optimizer optimizer = optim::AdamConfig().init();
    EXPECT_THAT(message_of(ErrorKind::Record, [&] { load(optimizer, folder.path("model.bpk")); }),
                AllOf(HasSubstr("load: \"" + folder.path("model.bpk") + "\": optimizer: ")));
}

/// A module whose parameters are all in a list, which moving empties.
struct Stack {
    std::vector<sample::Affine<A>> layers;
    BURN_MODULE(Stack, layers)
};

struct Nothing {
    BURN_MODULE(Nothing)
};

TEST(SaveAndLoad, AModuleWithoutItsValuesNeverReplacesAFile) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string name = std::string("model") + extension;
        const std::string path = folder.path(name);
        auto module = sample::make_everything<A>(Device<A>());
        save(module, path);
        const std::string before = folder.read(name);
        const auto refuses = [&](const auto& source, const char* what) {
            EXPECT_THAT(message_of(ErrorKind::Argument, [&] { save(source, path); }), HasSubstr(what));
            EXPECT_EQ(folder.read(name), before);
        };
        refuses(sample::Everything<A>(), "the parameter first.weight has no value");
        const auto taken = std::move(module);
        refuses(module, "has no value");  // NOLINT(bugprone-use-after-move): that is the question
        Stack stack;
        refuses(stack, "the module Stack has no parameter");
        stack.layers.push_back(sample::make_affine<A>(1, Device<A>()));
        stack.layers.emplace_back();
        refuses(stack, "the parameter layers.1.weight has no value");
        const Stack taken_stack = std::move(stack);
        refuses(stack, "the module Stack has no parameter");  // NOLINT(bugprone-use-after-move)
        refuses(Nothing(), "the module Nothing has no parameter");
        auto optimizer = optim::AdamConfig().init();
        const auto taken_optimizer = std::move(optimizer);
        refuses(optimizer, "Optimizer: used after it was moved from");  // NOLINT(bugprone-use-after-move)
        auto scheduler = optim::ConstantLrSchedulerConfig{0.1}.init();
        const auto taken_scheduler = std::move(scheduler);
        refuses(scheduler, "LrScheduler: used after it was moved from");  // NOLINT(bugprone-use-after-move)
    }
}

TEST(SaveAndLoad, AModuleThatIsNotInitialisedTakesNoFile) {
    ScratchFolder folder;
    const std::string path = folder.path("model.bpk");
    save(sample::make_everything<A>(Device<A>()), path);
    sample::Everything<A> empty;
    EXPECT_THAT(message_of(ErrorKind::Argument, [&] { load(empty, path); }),
                HasSubstr("load: the parameter first.weight has no value"));
}

}  // namespace
}  // namespace burn::store_test
