//! Writes the start inputs of the fuzz targets ([`fndsa_fuzz::seeds`]) below a directory:
//! `cargo run --example seeds -- corpus`.

fn main() -> std::io::Result<()> {
    let directory = std::env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    for (target, name, data) in fndsa_fuzz::seeds::all() {
        let directory = std::path::Path::new(&directory).join(target);
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join(name), data)?;
    }
    Ok(())
}
