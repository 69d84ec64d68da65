// What burn_compile_fail is tried on; the three other macros plant the faults that it must notice.

struct Metres {
    double value;
};

#ifdef REJECTS_BOTH
double broken = Metres{1.0};
#endif

#if defined(MUST_NOT_COMPILE) && defined(WRONG_REASON)
double length = undeclared;
#elif defined(MUST_NOT_COMPILE) && !defined(ACCEPTS_BOTH)
double length = Metres{1.0};
#else
double length = Metres{1.0}.value;
#endif
