//! Rows shared out among threads, with a result that does not depend on how many there are.

/// Rows are handed out in blocks of this many.
const BLOCK: usize = 16;

/// Calls `work` for each of `rows` rows, and appends what it finds to `found` in the order of the rows. Each thread
/// has a `scratch` of its own.
pub(crate) fn for_each_row<T: Send, S>(
    rows: usize,
    threads: usize,
    found: &mut Vec<T>,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S, &mut Vec<T>) + Sync,
) {
    if threads <= 1 || rows < 4 * BLOCK {
        let mut scratch = scratch();
        for row in 0..rows {
            work(row, &mut scratch, found);
        }
        return;
    }
    let blocks = rows.div_ceil(BLOCK);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut parts: Vec<(usize, Vec<T>)> = Vec::with_capacity(blocks);
    std::thread::scope(|scope| {
        let worker = || {
            let (mut scratch, mut mine) = (scratch(), Vec::new());
            loop {
                let block = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if block >= blocks {
                    return mine;
                }
                let mut part = Vec::new();
                for row in block * BLOCK..rows.min((block + 1) * BLOCK) {
                    work(row, &mut scratch, &mut part);
                }
                mine.push((block, part));
            }
        };
        let others: Vec<_> = (1..threads.min(blocks)).map(|_| scope.spawn(worker)).collect();
        parts.extend(worker());
        for other in others {
            match other.join() {
                Ok(mine) => parts.extend(mine),
                // An oracle of the caller's panicked in another thread; it goes on in this one.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    parts.sort_unstable_by_key(|&(block, _)| block);
    found.extend(parts.into_iter().flat_map(|(_, part)| part));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_finds_the_same_in_the_same_order() {
        let list = |threads| {
            let mut found = Vec::new();
            for_each_row(
                1000,
                threads,
                &mut found,
                || (),
                |row, (), found| {
                    found.extend((0..row % 3).map(|k| (row, k)));
                },
            );
            found
        };
        assert_eq!(list(1), list(2));
        assert_eq!(list(1), list(7));
    }
}
