//! An image for code size measurement: verification with constant keys for FN-DSA and for
//! ML-DSA. This image must not panic.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Options;
use fndsa::no_alloc::{FnDsa512Key, MlDsa44Key, Verified};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_does_not_link;

panic_does_not_link!();

static FN_DSA: FnDsa512Key = FnDsa512Key::new(*include_bytes!("../../data/boot.pub"));
static ML_DSA: MlDsa44Key = MlDsa44Key::new(*include_bytes!("../../data/boot-ml-dsa-44.pub"));

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let [context, page, signature, other]: [&[u8]; 4] = black_box([&[]; 4]);
    let options = Options::with_context(context).with_prehash(black_box(None));
    let (Ok(mut first), Ok(mut second)) = (FN_DSA.verifier(options), ML_DSA.verifier(options)) else { exit(false) };
    first.update(page);
    second.update(page);
    let mut work = [0; 512];
    let first = first.finish(signature, &mut work);
    let mut work = [0; 384];
    let second = second.finish(other, &mut work);
    exit([first, second].iter().all(|answer| answer.is_ok_and(|it| it.value() == Verified::YES)))
}
