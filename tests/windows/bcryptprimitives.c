// A substitute for the Windows library bcryptprimitives, which all Rust programs need and wine 8
// does not have. It gets random bytes from another Windows function.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE out, SIZE_T len) { return SystemFunction036(out, (ULONG)len); }
