//! Tests of the command line. They also run the functions of the fuzz targets with the files of the
//! corpus and with changed copies of these files (see `fuzz/README.md`), because the targets
//! `arguments` and `dsse` need the program's parsers.

#[cfg(feature = "testing")]
#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

use super::*;

#[test]
fn required_options_exist_in_their_commands() {
    for (name, option, needed) in needs::NEEDS {
        let mut command = COMMANDS.iter().find(|row| row.name == name).expect("a command").short_definition();
        command.build();
        for id in [option, needed] {
            let is_option = command.get_arguments().any(|arg| arg.get_id() == id);
            assert!(is_option || command.get_groups().any(|it| it.get_id() == id), "{name}: {id}");
        }
    }
}
