//! Files of compiled code that are not what was written.
//!
//! The head of the code and the place of the image behind it are changed, the file is cut, and
//! what stands at its path is a link, a pipe or a folder, or may be written by others. The file
//! is loaded or refused, at once. A guest with the wrong image under its code is one that lies.
//!
//! The code itself is left as it is: it is native, and trusted as the file's owner is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{ErrorKind, Sandbox};
use serde::{Deserialize, Serialize};

use crate::liar;
use crate::parked::{Edit, edit, edits};
use crate::target::Target;

pub(crate) struct CompiledCode;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    damage: Damage,
    place: Place,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Damage {
    None,
    /// Changes of the first bytes.
    Head(Vec<Edit>),
    /// Changes of the last bytes: a mark, and where the image belongs.
    Tail(Vec<Edit>),
    /// Address and length of the image.
    Image(u64, u64),
    /// So many millionths are left.
    Cut(u32),
    /// So many bytes come after the end.
    More(u16),
}

/// Kind of the file at the path.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Place {
    File,
    /// A file with these permissions.
    Mode(u32),
    /// A folder around the file, with these permissions.
    FolderMode(u32),
    /// A link to the file.
    Link,
    /// A link to itself.
    Loop,
    Pipe,
    Folder,
}

/// Bytes at either end that are changed: the head of the code, and the mark with two numbers.
const HEAD: usize = 64;
const TAIL: usize = 32;

/// Limit on the time until a file is refused, on a machine that does much else: a pipe that is
/// waited for takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

static HONEST: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = liar::sandbox().compiled_file().expect("a cache");
    fs::read(file).expect("just written")
});

impl Target for CompiledCode {
    type Input = Stored;
    const NAME: &'static str = "compiled";

    fn inputs() -> BoxedStrategy<Stored> {
        let number = || {
            prop_oneof![
                2 => (0..70_000_u64).prop_map(|page| page << 12),
                1 => (0..64_u32).prop_map(|bit| 1 << bit),
                1 => (0..64_u32).prop_map(|bit| u64::MAX << bit),
                1 => any::<u64>(),
            ]
        };
        let damage = prop_oneof![
            1 => Just(Damage::None),
            3 => edits().prop_map(Damage::Head),
            3 => edits().prop_map(Damage::Tail),
            4 => (number(), number()).prop_map(|(start, length)| Damage::Image(start, length)),
            2 => (0..1_000_000_u32).prop_map(Damage::Cut),
            1 => any::<u16>().prop_map(Damage::More),
        ];
        let place = prop_oneof![
            6 => Just(Place::File),
            1 => (0..0o1_000_u32).prop_map(|mode| Place::Mode(mode | 0o400)),
            1 => (0..0o2_000_u32).prop_map(|mode| Place::FolderMode(mode | 0o700)),
            1 => Just(Place::Link),
            1 => Just(Place::Loop),
            1 => Just(Place::Pipe),
            1 => Just(Place::Folder),
        ];
        (damage, place)
            .prop_map(|(damage, place)| Stored { damage, place })
            .boxed()
    }

    fn attempt(stored: &Stored) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let bytes = damaged(&stored.damage);
        let path = placed(folder.path(), &bytes, &stored.place);
        let path = path.map_err(|error| error.to_string())?;
        let started = Instant::now();
        let built = Sandbox::builder()
            .guest(liar::component())
            .compiled(&path)
            .build();
        if started.elapsed() > PATIENCE {
            return Err(format!("{:?} until {built:?}", started.elapsed()));
        }
        let is_honest = bytes == *HONEST;
        match built {
            Ok(_) if !is_trusted(&stored.place) => return Err(String::from("a stranger's")),
            Ok(sandbox) => answers(&sandbox, is_honest)?,
            Err(error) if is_honest && is_trusted(&stored.place) => {
                return Err(format!("what was written is refused: {error}"));
            }
            Err(error) if error.kind() == ErrorKind::Guest => {}
            Err(error) => return Err(format!("{:?}: {error}", error.kind())),
        }
        liar::check_honest()
    }
}

/// Returns whether only this user can have put there what is at the path.
fn is_trusted(place: &Place) -> bool {
    match place {
        Place::File | Place::Link => true,
        Place::Mode(mode) => mode & 0o022 == 0,
        Place::FolderMode(mode) => mode & 0o022 == 0 || mode & 0o1000 != 0,
        Place::Loop | Place::Pipe | Place::Folder => false,
    }
}

/// Runs a script, which has an outcome or an error; that of an undamaged guest is known.
fn answers(sandbox: &Sandbox, is_honest: bool) -> Result<(), String> {
    let opened = liar::described(sandbox, liar::small()).open();
    let run = opened.and_then(|mut session| liar::block_on(session.exec("exec value 7 7")));
    match run {
        Ok(outcome) if is_honest && outcome.value::<u64>().ok() != Some(7) => {
            Err(format!("{outcome:?}"))
        }
        Err(error) if is_honest => Err(error.to_string()),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn damaged(damage: &Damage) -> Vec<u8> {
    let mut bytes = HONEST.clone();
    let end = bytes.len();
    match damage {
        Damage::None => {}
        Damage::Head(edits) => {
            let mut head = bytes[..HEAD].to_vec();
            edit(&mut head, edits);
            bytes.splice(..HEAD, head);
        }
        Damage::Tail(edits) => {
            let mut tail = bytes.split_off(end - TAIL);
            edit(&mut tail, edits);
            bytes.extend(tail);
        }
        Damage::Image(start, length) => {
            bytes[end - 16..end - 8].copy_from_slice(&start.to_le_bytes());
            bytes[end - 8..].copy_from_slice(&length.to_le_bytes());
        }
        Damage::Cut(left) => {
            let left = end as u64 * u64::from(*left) / 1_000_000;
            bytes.truncate(left as usize);
        }
        Damage::More(count) => bytes.extend(vec![0; usize::from(*count)]),
    }
    bytes
}

/// Puts the bytes where they are read from.
#[cfg(unix)]
fn placed(folder: &Path, bytes: &[u8], place: &Place) -> std::io::Result<PathBuf> {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let inner = folder.join("inner");
    fs::create_dir(&inner)?;
    let path = inner.join("guest.cwasm");
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set_mode(&inner, 0o700)?;
    match place {
        Place::File => write(&path, bytes, 0o600)?,
        Place::Mode(mode) => write(&path, bytes, *mode)?,
        Place::FolderMode(mode) => {
            write(&path, bytes, 0o600)?;
            set_mode(&inner, *mode)?;
        }
        Place::Link => {
            write(&inner.join("there.cwasm"), bytes, 0o600)?;
            symlink("there.cwasm", &path)?;
        }
        Place::Loop => symlink("guest.cwasm", &path)?,
        Place::Pipe => {
            let made = std::process::Command::new("mkfifo").arg(&path).status()?;
            assert!(made.success(), "mkfifo");
        }
        Place::Folder => fs::create_dir(&path)?,
    }
    return Ok(path);

    fn write(path: &Path, bytes: &[u8], mode: u32) -> std::io::Result<()> {
        fs::write(path, bytes)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
fn placed(folder: &Path, bytes: &[u8], _place: &Place) -> std::io::Result<PathBuf> {
    let path = folder.join("guest.cwasm");
    fs::write(&path, bytes)?;
    Ok(path)
}
