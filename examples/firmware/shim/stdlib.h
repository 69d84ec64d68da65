#pragma once

/* The C library's <stdlib.h> as <cstdlib> asks for it; nothing of it is linked. */

#include <stddef.h>

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;

extern "C" {
void abort();
int abs(int);
int atexit(void (*)());
int at_quick_exit(void (*)());
double atof(const char*);
int atoi(const char*);
long atol(const char*);
long long atoll(const char*);
void* aligned_alloc(size_t, size_t);
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
void* calloc(size_t, size_t);
div_t div(int, int);
void exit(int);
void _Exit(int);
void quick_exit(int);
void free(void*);
char* getenv(const char*);
long labs(long);
long long llabs(long long);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
void* malloc(size_t);
int mblen(const char*, size_t);
size_t mbstowcs(wchar_t*, const char*, size_t);
int mbtowc(wchar_t*, const char*, size_t);
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
int rand();
void* realloc(void*, size_t);
void srand(unsigned);
double strtod(const char*, char**);
float strtof(const char*, char**);
long double strtold(const char*, char**);
long strtol(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long strtoul(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
int system(const char*);
size_t wcstombs(char*, const wchar_t*, size_t);
int wctomb(char*, wchar_t);
}
