#pragma once

/// Build-time facts about the platform, decided once.

/// 1 where the program runs on an operating system with a full C++ standard library; 0 on bare metal.
#ifndef BURN_HOSTED
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#define BURN_HOSTED 1
#else
#define BURN_HOSTED 0
#endif
#endif

/// 1 where errors are thrown; 0 where they go to the error handler (see error.h).
#if defined(__cpp_exceptions) && BURN_HOSTED
#define BURN_EXCEPTIONS 1
#else
#define BURN_EXCEPTIONS 0
#endif
