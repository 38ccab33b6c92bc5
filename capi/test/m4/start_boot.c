/* Starts a Cortex-M4 without a C library, and ends the emulation with the result of `boot`. */
#include <stdint.h>

extern uint32_t stack_top, bss_start, bss_end;
extern int boot(void);

void reset(void) {
    uint32_t *to;
    register uint32_t call __asm__("r0") = 0x18, reason __asm__("r1");
    for (to = &bss_start; to < &bss_end;) *to++ = 0;
    /* Enables the floating-point unit, because compiled code may use its registers. */
    *(volatile uint32_t *)0xe000ed88 |= 0xf << 20;
    /* Semihosting: operation 0x18 ends the emulation. The reason is ADP_Stopped_ApplicationExit (0x20026), or
     * ADP_Stopped_RunTimeErrorUnknown (0x20023), for an error. */
    reason = boot() == 0 ? 0x20026 : 0x20023;
    call = 0x18;
    __asm__ volatile("bkpt 0xab" : : "r"(call), "r"(reason) : "memory");
    for (;;) {}
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&stack_top,
    (uintptr_t)reset,
};
