// A stand-in for the library of Windows of this name, which wine 8 lacks and every program in Rust wants: random bytes by
// another function of Windows.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE out, SIZE_T len) { return SystemFunction036(out, (ULONG)len); }
