#include <burn/train/supervised_training.h>

#include <filesystem>
#include <system_error>

namespace burn::training::detail {

namespace {

constexpr const char* kRandomKey = "random.key";
constexpr const char* kRandomCounter = "random.counter";

}  // namespace

void EngineFinder::param(const Path&, const AnyParam& param) {
    if (engine == nullptr && !param.empty()) engine = &param.engine();
}

Record training_state(const optim::LrScheduler& scheduler, const ops::Engine* engine) {
    Record record;
    record.add("scheduler", scheduler.record());
    const ops::RandomState random = engine != nullptr ? engine->random_state() : ops::RandomState{};
    record.add(kRandomKey, random.key);
    record.add(kRandomCounter, random.counter);
    return record;
}

void load_training_state(const Record& record, optim::LrScheduler& scheduler, ops::Engine* engine) {
    const ops::RandomState random{.key = record.number(kRandomKey).as<std::uint64_t>(),
                                  .counter = record.number(kRandomCounter).as<std::uint64_t>()};
    scheduler.load_record(record.part("scheduler"));
    if (engine != nullptr) engine->set_random_state(random);
}

TrainingSettings with_default_renderers(TrainingSettings settings, const std::string& folder) {
    if (settings.renderers.empty()) settings.renderers.push_back(make_console_renderer());
    std::error_code error;
    std::filesystem::create_directories(folder, error);  // opening the log says what is wrong, if anything is
    const auto start = settings.resume ? FileOutput::Start::Append : FileOutput::Start::Fresh;
    settings.renderers.push_back(
        std::make_shared<PlainRenderer>(std::make_shared<FileOutput>(folder + "/training.log", start)));
    return settings;
}

}  // namespace burn::training::detail
