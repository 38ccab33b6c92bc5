/* A plugin of QEMU that counts or traces the instructions of an emulated process, between the
 * process's calls of `measure_begin` and `measure_end`.
 *
 *     cc -O2 -shared -fPIC -o plugin.so plugin.c
 *     qemu-aarch64 -plugin ./plugin.so,to=FILE PROGRAM ..
 *     qemu-aarch64 -plugin ./plugin.so,to=FILE,trace=on PROGRAM ..
 *     qemu-x86_64 -plugin ./plugin.so,to=FILE,whole=on PROGRAM ..
 *
 * Without `trace`, the plugin writes a line to FILE for each measurement: the number of
 * instructions. The numbers are exact and repeatable. They are not cycles.
 *
 * With `whole`, it writes one line: the number of instructions of the complete process.
 *
 * With `trace`, it writes pairs of 64-bit numbers in the host's byte order. There are two kinds of
 * pairs: the address of a conditional or computed branch and its destination, and the address of an
 * instruction and the address of the data that it reads or writes. Returns, direct jumps and direct
 * calls are left out, because they have only one destination. Supports AArch64 and RISC-V.
 *
 * The interface is version 1 (QEMU 4.2 to 8.2). The prototypes are in this file because Debian has
 * no package with the header. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct block;
struct instruction;
struct machine { const char *target; };
typedef uint64_t plugin_id;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct block *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct instruction *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct instruction *, int, void *, uint64_t);
extern void qemu_plugin_register_vcpu_mem_cb(
    struct instruction *, void (*)(unsigned, uint32_t, uint64_t, void *), int, int, void *);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern struct instruction *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern uint64_t qemu_plugin_tb_vaddr(const struct block *);
extern uint64_t qemu_plugin_insn_vaddr(const struct instruction *);
extern const void *qemu_plugin_insn_data(const struct instruction *);
extern size_t qemu_plugin_insn_size(const struct instruction *);
extern const char *qemu_plugin_insn_symbol(const struct instruction *);
enum { ADD = 0, NO_REGISTERS = 0, READ_OR_WRITE = 3 };
#define PUBLIC __attribute__((visibility("default")))

PUBLIC int qemu_plugin_version = 1;

static FILE *out;
static int is_traced, is_whole, is_risc_v, is_measured;
static uint64_t count, count_at_begin, branch;

static void begin(unsigned cpu, void *data) {
    is_measured = 1;
    count_at_begin = count;
}

static void end(unsigned cpu, void *data) {
    if (is_measured && !is_traced && !is_whole) fprintf(out, "%llu\n", (unsigned long long)(count - count_at_begin));
    is_measured = 0;
    branch = 0;
}

static void step(uint64_t from, uint64_t to) {
    uint64_t pair[2] = {from, to};
    fwrite(pair, sizeof pair, 1, out);
}

static void at_branch(unsigned cpu, void *address) {
    if (is_measured) branch = (uint64_t)address;
}

static void at_block(unsigned cpu, void *address) {
    if (branch) step(branch, (uint64_t)address);
    branch = 0;
}

static void at_data(unsigned cpu, uint32_t info, uint64_t data, void *address) {
    if (is_measured) step((uint64_t)address, data);
}

/* Returns whether an instruction has more than one destination and is not a return. */
static int is_branch(const struct instruction *it) {
    uint32_t w = 0;
    size_t size = qemu_plugin_insn_size(it);
    memcpy(&w, qemu_plugin_insn_data(it), size < 4 ? size : 4);
    if (!is_risc_v)
        return (w & 0xff000010) == 0x54000000    /* b.condition */
            || (w & 0x7c000000) == 0x34000000    /* cbz cbnz tbz tbnz */
            || (w & 0xffdffc1f) == 0xd61f0000;   /* br blr */
    if (size == 2)
        return ((w & 3) == 1 && w >> 14 == 3)                      /* c.beqz c.bnez */
            || ((w & 0xe07f) == 0x8002 && (w & 0xf80) && w != 0x8082); /* c.jr c.jalr, not ret */
    return (w & 0x7f) == 0x63 || ((w & 0x7f) == 0x67 && w != 0x8067);  /* beq.. jalr, not ret */
}

static void translated(plugin_id id, struct block *block) {
    size_t n = qemu_plugin_tb_n_insns(block);
    if (is_traced)
        qemu_plugin_register_vcpu_tb_exec_cb(block, at_block, NO_REGISTERS, (void *)qemu_plugin_tb_vaddr(block));
    for (size_t i = 0; i < n; i++) {
        struct instruction *it = qemu_plugin_tb_get_insn(block, i);
        void *address = (void *)qemu_plugin_insn_vaddr(it);
        const char *symbol = qemu_plugin_insn_symbol(it);
        qemu_plugin_register_vcpu_insn_exec_inline(it, ADD, &count, 1);
        if (symbol && !strcmp(symbol, "measure_begin"))
            qemu_plugin_register_vcpu_insn_exec_cb(it, begin, NO_REGISTERS, NULL);
        if (symbol && !strcmp(symbol, "measure_end"))
            qemu_plugin_register_vcpu_insn_exec_cb(it, end, NO_REGISTERS, NULL);
        if (!is_traced) continue;
        qemu_plugin_register_vcpu_mem_cb(it, at_data, NO_REGISTERS, READ_OR_WRITE, address);
        if (is_branch(it)) qemu_plugin_register_vcpu_insn_exec_cb(it, at_branch, NO_REGISTERS, address);
    }
}

static void finished(plugin_id id, void *data) {
    if (is_whole) fprintf(out, "%llu\n", (unsigned long long)count);
    fclose(out);
}

PUBLIC int qemu_plugin_install(plugin_id id, const struct machine *machine, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "to=", 3)) out = fopen(argv[i] + 3, "wb");
        if (!strcmp(argv[i], "trace=on")) is_traced = 1;
        if (!strcmp(argv[i], "whole=on")) is_whole = 1;
    }
    is_risc_v = !strncmp(machine->target, "riscv", 5);
    if (!out || (is_traced && !is_risc_v && strcmp(machine->target, "aarch64"))) {
        fprintf(stderr, "plugin: to=FILE that can be written, and trace=on for AArch64 and RISC-V alone\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
