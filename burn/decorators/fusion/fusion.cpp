#include <burn/decorators/fusion/fusion.h>

#include <burn/decorators/fusion/engine.h>

#include <memory>

namespace burn::fusion {

namespace {

struct Engines {
    std::mutex mutex;
    std::vector<std::unique_ptr<FusionEngine>> engines;
};

/// Never destroyed: threads that end late still have streams.
Engines& engines() {
    static auto* all = new Engines;
    return *all;
}

FusionEngine& fusion_engine(ops::Engine& engine) {
    for (const auto& known : engines().engines) {
        if (known.get() == &engine) return *known;
    }
    raise(ErrorKind::Argument, Message() << engine.name() << " is not an engine of fusion");
}

}  // namespace

ops::Engine& engine_over(ops::Engine& inner, compiler::Device& device) {
    const std::lock_guard lock(engines().mutex);
    for (const auto& known : engines().engines) {
        if (known->inner() == &inner) return *known;
    }
    engines().engines.push_back(std::make_unique<FusionEngine>(inner, device));
    return *engines().engines.back();
}

Report report(ops::Engine& engine) {
    const std::lock_guard lock(engines().mutex);
    return fusion_engine(engine).report();
}

std::string flush_and_describe(ops::Engine& engine) {
    FusionEngine* mine = nullptr;
    {
        const std::lock_guard lock(engines().mutex);
        mine = &fusion_engine(engine);
    }
    Stream* stream = mine->stream();
    return stream != nullptr ? stream->flush_and_describe() : mine->why_off();
}

}  // namespace burn::fusion
