//! How many threads a command uses.

use crate::failure::Failure;

/// As many as are asked for, one for each core by default, but no more than there are pieces of work.
pub(crate) fn threads(asked: Option<usize>, pieces: u32) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::Usage(
            "--threads is 0; give 1 or more, or leave it out for all cores".to_owned(),
        )),
        Some(threads) => Ok(threads.min(pieces as usize).clamp(1, 1024)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}
