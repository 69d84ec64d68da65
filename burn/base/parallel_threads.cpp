// parallel_for over a persistent pool of threads.
//
// One loop at a time owns the pool. A loop is cut into as many parts as there are threads; worker i tries part i first,
// so that repeated loops over the same data meet it in the same core's cache, and whoever has nothing left to do,
// the caller above all, takes parts that nobody has claimed. A worker that is slow to wake up therefore delays nobody.
//
// A part is claimed by advancing its ticket from 2 * epoch to 2 * epoch + 1. Epochs never repeat, so a worker that
// arrives late with an old epoch can claim nothing, and whoever has claimed a part knows that the loop's fields are valid:
// the owner does not return, nor start another loop, before every part has ended.
#include <burn/base/environment.h>
#include <burn/base/parallel.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define BURN_HAS_FORK 1
#else
#define BURN_HAS_FORK 0
#endif

namespace burn {
namespace {

using Body = FunctionRef<void(int64_t, int64_t)>;

// Loops of one training step follow each other within microseconds, with what one thread does between them; waking a sleeping
// thread takes longer than most of them (30 to 60 us on a virtual machine). So threads wait for each other awake for a while:
// at first alone on their cores, then giving way to whoever else wants to run there.
constexpr auto kSpin = std::chrono::microseconds(50);
constexpr auto kAwake = std::chrono::microseconds(500);
constexpr int kMaxThreads = 1024;

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Polls ready() for at most kAwake; the clock is read rarely.
template <class Ready>
bool wait_awake(Ready ready) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        for (int i = 0; i < 32; ++i) {
            if (ready()) return true;
            relax();
        }
        const auto waited = std::chrono::steady_clock::now() - start;
        if (waited >= kAwake) return ready();
        if (waited >= kSpin) std::this_thread::yield();
    }
}

// True while this thread runs a part: nested loops then stay on it.
thread_local bool inside_body = false;

struct InsideBody {
    InsideBody() : before(inside_body) { inside_body = true; }
    ~InsideBody() { inside_body = before; }
    bool before;
};

class Pool {
public:
    explicit Pool(int threads) : threads_(threads), tickets_(new std::atomic<uint64_t>[static_cast<size_t>(threads)]) {
        for (int i = 0; i < threads; ++i) tickets_[i].store(0, std::memory_order_relaxed);
        for (int i = 1; i < threads; ++i) {
            // A process at its thread limit works with those it got: the caller claims what nobody else does.
            try {
                workers_.emplace_back([this, i] { work(i); });
            } catch (const std::exception&) {
                break;
            }
        }
    }

    ~Pool() {
        {
            std::lock_guard lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    int threads() const { return threads_; }

    void run(int64_t n, int parts, Body body) {
        body_ = &body;
        n_ = n;
        parts_ = parts;
        error_ = nullptr;
        error_part_ = parts;
        remaining_.store(parts, std::memory_order_relaxed);
        const uint64_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
        for (int i = 0; i < parts; ++i) tickets_[i].store(2 * epoch, std::memory_order_release);
        epoch_.store(epoch, std::memory_order_seq_cst);
        if (sleepers_.load(std::memory_order_seq_cst) > 0) {
            {
                std::lock_guard lock(mutex_);
            }
            wake_.notify_all();
        }
        run_parts(0, epoch);
        const auto done = [this] { return remaining_.load(std::memory_order_acquire) == 0; };
        if (!wait_awake(done)) {
            std::unique_lock lock(mutex_);
            owner_sleeps_.store(true, std::memory_order_seq_cst);
            done_.wait(lock, [this] { return remaining_.load(std::memory_order_seq_cst) == 0; });
            owner_sleeps_.store(false, std::memory_order_relaxed);
        }
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

private:
    void run_parts(int preferred, uint64_t epoch) {
        // Tickets of this epoch exist only for i < parts; the others hold older numbers and cannot be claimed.
        for (int step = 0; step < threads_; ++step) {
            const int part = preferred + step < threads_ ? preferred + step : preferred + step - threads_;
            uint64_t expected = 2 * epoch;
            if (tickets_[part].load(std::memory_order_relaxed) != expected) continue;
            if (!tickets_[part].compare_exchange_strong(expected, 2 * epoch + 1, std::memory_order_acq_rel)) continue;
            run_part(part);
        }
    }

    void run_part(int part) {
        InsideBody inside;
        const int64_t share = n_ / parts_;
        const int64_t rest = n_ % parts_;
        const int64_t begin = share * part + (part < rest ? part : rest);
        const int64_t end = begin + share + (part < rest ? 1 : 0);
        try {
            (*body_)(begin, end);
        } catch (...) {
            std::lock_guard lock(error_mutex_);
            if (part < error_part_) {
                error_ = std::current_exception();
                error_part_ = part;
            }
        }
        // From the last decrement on the owner may return: nothing of the loop is touched after it. The pool itself
        // lives until its workers are joined.
        if (remaining_.fetch_sub(1, std::memory_order_seq_cst) == 1 && owner_sleeps_.load(std::memory_order_seq_cst)) {
            {
                std::lock_guard lock(mutex_);
            }
            done_.notify_one();
        }
    }

    void work(int index) {
        uint64_t seen = 0;
        for (;;) {
            const auto news = [&] { return epoch_.load(std::memory_order_acquire) != seen; };
            if (!wait_awake(news)) {
                std::unique_lock lock(mutex_);
                sleepers_.fetch_add(1, std::memory_order_seq_cst);
                wake_.wait(lock, [&] { return stop_ || epoch_.load(std::memory_order_seq_cst) != seen; });
                sleepers_.fetch_sub(1, std::memory_order_relaxed);
                if (stop_) return;
            }
            seen = epoch_.load(std::memory_order_acquire);
            run_parts(index, seen);
        }
    }

    const int threads_;
    std::unique_ptr<std::atomic<uint64_t>[]> tickets_;

    // The loop being run; written by its owner before the tickets are published.
    const Body* body_ = nullptr;
    int64_t n_ = 0;
    int parts_ = 0;
    std::exception_ptr error_;
    int error_part_ = 0;
    std::mutex error_mutex_;

    alignas(64) std::atomic<uint64_t> epoch_{0};
    std::atomic<int> sleepers_{0};
    alignas(64) std::atomic<int> remaining_{0};
    std::atomic<bool> owner_sleeps_{false};

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

int initial_threads() {
    if (const int wanted = environment_count("BURN_NUM_THREADS", kMaxThreads); wanted > 0) return wanted;
    const unsigned cores = std::thread::hardware_concurrency();
    return cores == 0 ? 1 : cores < kMaxThreads ? static_cast<int>(cores) : kMaxThreads;
}

// The pool and the lock that its user holds. Never destroyed: loops may run while static objects are being torn down.
struct Control {
    std::mutex in_use;
    Pool* pool = nullptr;
    std::atomic<int> threads{initial_threads()};
};

std::atomic<Control*> current{nullptr};

Control& control() {
    Control* existing = current.load(std::memory_order_acquire);
    if (existing) return *existing;
    auto* fresh = new Control;
    if (current.compare_exchange_strong(existing, fresh, std::memory_order_acq_rel)) {
#if BURN_HAS_FORK
        // The child of a fork has none of the threads and maybe a locked mutex: it forgets the parent's pool (whose
        // memory is not reclaimed) but keeps the number of threads.
        static const int registered = pthread_atfork(nullptr, nullptr, [] {
            const Control* parent = current.load(std::memory_order_relaxed);
            if (!parent) return;
            auto* child = new Control;
            child->threads.store(parent->threads.load(std::memory_order_relaxed), std::memory_order_relaxed);
            current.store(child, std::memory_order_release);
        });
        static_cast<void>(registered);
#endif
        return *fresh;
    }
    delete fresh;
    return *existing;
}

}  // namespace

void parallel_for(int64_t n, int64_t grain, Body body) {
    if (n <= 0) return;
    if (grain < 1) grain = 1;
    if (n < 2 * grain || inside_body) return body(0, n);
    Control& c = control();
    const int threads = c.threads.load(std::memory_order_relaxed);
    const int64_t wanted = n / grain;
    const int parts = wanted < threads ? static_cast<int>(wanted) : threads;
    if (parts < 2) return body(0, n);
    std::unique_lock lock(c.in_use, std::try_to_lock);
    if (!lock) {
        InsideBody inside;
        return body(0, n);
    }
    if (!c.pool || c.pool->threads() != threads) {
        delete c.pool;
        c.pool = nullptr;
        c.pool = new Pool(threads);
    }
    c.pool->run(n, parts, body);
}

int num_threads() { return control().threads.load(std::memory_order_relaxed); }

void set_num_threads(int n) {
    Control& c = control();
    const std::lock_guard lock(c.in_use);
    c.threads.store(n < 1 ? initial_threads() : n < kMaxThreads ? n : kMaxThreads, std::memory_order_relaxed);
    delete c.pool;
    c.pool = nullptr;
}

}  // namespace burn
