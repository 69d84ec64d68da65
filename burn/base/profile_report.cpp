#include <burn/base/profile_report.h>

#include <burn/base/error.h>
#include <burn/base/memory.h>
#include <burn/base/profile_log.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace burn::profile {

void start(bool traces) {
    stop();
    for_each_log([](Log& log) {
        log.sums.assign(log.names.size(), {});
        log.events.clear();
    });
    Logs& all = logs();
    all.begin = now();
    all.room = kMostEvents;
    all.left_out = 0;
    all.traces = traces;
    detail::measuring = true;
}

void stop() { detail::measuring = false; }

std::vector<Row> rows() {
    std::map<std::pair<Kind, std::string>, Sums> merged;
    for_each_log([&](Log& log) {
        for (std::size_t i = 0; i < log.names.size(); ++i) {
            const Sums& sums = log.sums[i];
            if (sums.calls == 0) continue;
            Sums& all = merged[log.names[i]];
            all.calls += sums.calls;
            all.nanoseconds += sums.nanoseconds;
            all.own_nanoseconds += sums.own_nanoseconds;
            all.cost += sums.cost;
        }
    });
    std::vector<Row> rows;
    rows.reserve(merged.size());
    for (const auto& [name, sums] : merged) {
        rows.push_back({name.first, name.second, sums.calls, 1e-9 * static_cast<double>(sums.nanoseconds),
                        1e-9 * static_cast<double>(sums.own_nanoseconds), sums.cost});
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.own_seconds != b.own_seconds ? a.own_seconds > b.own_seconds : a.name < b.name;
    });
    return rows;
}

namespace {

template <class... Arguments>
std::string format(const char* form, Arguments... arguments) {
    char text[128];
    std::snprintf(text, sizeof text, form, arguments...);
    return text;
}

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::Operation: return "run";
        case Kind::Kernel: return "kernel";
        case Kind::Plan: return "plan";
        case Kind::Compile: return "compile";
    }
    return "";
}

std::string time_text(double seconds) {
    if (seconds < 1e-3) return format("%.1f us", seconds * 1e6);
    if (seconds < 1) return format("%.2f ms", seconds * 1e3);
    return format("%.3f s", seconds);
}

std::string size_text(std::uint64_t bytes) { return format("%.1f MiB", static_cast<double>(bytes) / (1 << 20)); }

/// In thousand millions a second; nothing to say where the amount is not known.
std::string rate_text(double amount, double seconds) {
    return amount > 0 && seconds > 0 ? format("%.1f", amount * 1e-9 / seconds) : std::string("-");
}

}  // namespace

std::string table(const std::vector<Row>& rows) {
    double all = 0;
    for (const Row& row : rows) all += row.own_seconds;
    std::string text = "   calls      total       mean   share    GB/s  GFLOP/s\n";
    for (const Row& row : rows) {
        text += format("%8llu %10s %10s %6.1f%% ", static_cast<unsigned long long>(row.calls),
                       time_text(row.seconds).c_str(), time_text(row.seconds / static_cast<double>(row.calls)).c_str(),
                       all > 0 ? 100 * row.own_seconds / all : 0);
        text += format("%7s %8s  %-7s ", rate_text(row.cost.bytes, row.seconds).c_str(),
                       rate_text(row.cost.operations, row.seconds).c_str(), name_of(row.kind));
        text += row.name + '\n';
    }
    return text;
}

std::string table() {
    const std::vector<Row> measured = rows();
    double all = 0;
    for (const Row& row : measured) all += row.own_seconds;
    const MemoryReport memory = memory_report();
    std::string text = table(measured);
    text += time_text(all) + " measured; memory: " + size_text(memory.live_bytes) + " in " +
            format("%llu", static_cast<unsigned long long>(memory.live_blocks)) + " blocks, " +
            size_text(memory.peak_bytes) + " at most, " + size_text(memory.cached_bytes) + " kept for reuse\n";
    if (const std::uint64_t left_out = logs().left_out)
        text += format("%llu spans are left out of the trace\n", static_cast<unsigned long long>(left_out));
    return text;
}

namespace {

/// With a point whatever the locale says.
void append_fixed(std::string& text, double number, int digits) {
    char written[400];  // every double without an exponent
    const auto [end, error] =
        std::to_chars(written, written + sizeof written, number, std::chars_format::fixed, digits);
    if (error == std::errc()) text.append(written, end);
}

void append_quoted(std::string& text, const std::string& name) {
    text += '"';
    for (const char character : name) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte > 0x7e) {
            text += format("\\u%04x", byte);
        } else {
            if (character == '"' || character == '\\') text += '\\';
            text += character;
        }
    }
    text += '"';
}

void append_event(std::string& text, const Log& log, const Event& event, std::int64_t origin) {
    const auto& [kind, name] = log.names[event.name];
    text += "{\"name\":";
    append_quoted(text, name);
    text += format(",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":", name_of(kind), log.thread);
    append_fixed(text, 1e-3 * static_cast<double>(event.begin - origin), 3);
    text += ",\"dur\":";
    append_fixed(text, 1e-3 * static_cast<double>(event.nanoseconds), 3);
    text += ",\"args\":{\"bytes\":";
    append_fixed(text, event.cost.bytes, 0);
    text += ",\"operations\":";
    append_fixed(text, event.cost.operations, 0);
    text += "}}";
}

}  // namespace

std::string trace() {
    std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    const char* separator = "\n";
    const std::int64_t origin = logs().begin;
    for_each_log([&](const Log& log) {
        for (const Event& event : log.events) {
            text += separator;
            append_event(text, log, event, origin);
            separator = ",\n";
        }
    });
    return text + "\n]}\n";
}

void write_trace(const std::string& path) {
    const auto refuse = [&path] {
        const int error = errno;
        raise(ErrorKind::Io,
              Message() << "profile: the trace cannot be written to " << path.c_str() << ": " << std::strerror(error));
    };
    std::string beside = path + ".part";
#if defined(__unix__)
    beside += std::to_string(::getpid());
#endif
    std::FILE* const file = std::fopen(beside.c_str(), "wb");
    if (file == nullptr) refuse();
    const std::string text = trace();
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if ((std::fclose(file) == 0 && written && std::rename(beside.c_str(), path.c_str()) == 0)) return;
    const int error = errno;
    std::remove(beside.c_str());
    errno = error;
    refuse();
}

}  // namespace burn::profile
