#pragma once

/// BURN_FOR_EACH(MACRO, a, b, ..) writes MACRO(a) MACRO(b) ..; up to 256 arguments, none for none.
///
/// A macro cannot name itself; each step therefore ends in a name that only the next scan turns into a step again, and
/// BURN_SCAN gives it enough scans.

#define BURN_FOR_EACH(MACRO, ...) __VA_OPT__(BURN_SCAN(BURN_FOR_EACH_STEP(MACRO, __VA_ARGS__)))
#define BURN_FOR_EACH_STEP(MACRO, FIRST, ...) \
    MACRO(FIRST) __VA_OPT__(BURN_FOR_EACH_NEXT BURN_NO_ARGUMENTS(MACRO, __VA_ARGS__))
#define BURN_FOR_EACH_NEXT() BURN_FOR_EACH_STEP
#define BURN_NO_ARGUMENTS ()

#define BURN_SCAN(...) BURN_SCAN_64(BURN_SCAN_64(BURN_SCAN_64(BURN_SCAN_64(__VA_ARGS__))))
#define BURN_SCAN_64(...) BURN_SCAN_16(BURN_SCAN_16(BURN_SCAN_16(BURN_SCAN_16(__VA_ARGS__))))
#define BURN_SCAN_16(...) BURN_SCAN_4(BURN_SCAN_4(BURN_SCAN_4(BURN_SCAN_4(__VA_ARGS__))))
#define BURN_SCAN_4(...) BURN_SCAN_1(BURN_SCAN_1(BURN_SCAN_1(BURN_SCAN_1(__VA_ARGS__))))
#define BURN_SCAN_1(...) __VA_ARGS__
