/* Starts a Cortex-M4 without an operating system, and connects newlib's output to the emulator. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t stack_top, data_start, data_end, data_load, bss_start, bss_end;
extern void initialise_monitor_handles(void);
extern int main(void);

void reset(void) {
    uint32_t *from = &data_load, *to;
    for (to = &data_start; to < &data_end;) *to++ = *from++;
    for (to = &bss_start; to < &bss_end;) *to++ = 0;
    /* Enables the floating-point unit, because newlib's printf uses it. */
    *(volatile uint32_t *)0xe000ed88 |= 0xf << 20;
    initialise_monitor_handles();
    exit(main());
}

/* Ends the test after any fault of the processor. */
static void fault(void) {
    abort();
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&stack_top,
    (uintptr_t)reset,
    (uintptr_t)fault, /* a non-maskable interrupt */
    (uintptr_t)fault, /* hard fault, and three more that lead to it */
    (uintptr_t)fault,
    (uintptr_t)fault,
    (uintptr_t)fault,
};
