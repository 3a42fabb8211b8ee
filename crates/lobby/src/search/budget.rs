//! What one run of a search may spend: proposals, and time.

/// Proposals between two looks at the time and the temperature.
const BLOCK: u64 = 256;

/// Whether this share of the time means that there is none left.
pub(crate) fn is_over(share: f64) -> bool {
    share.is_nan() || share >= 1.0
}

/// Proposals and time of one run.
pub(crate) struct Budget<'a> {
    tried: u64,
    most: u64,
    /// The share of the time that is used up.
    time: &'a dyn Fn() -> f64,
}

impl<'a> Budget<'a> {
    /// At most this many proposals, and only as long as `time` is below 1.
    pub(crate) fn new(most: u64, time: &'a dyn Fn() -> f64) -> Self {
        Self { tried: 0, most, time }
    }

    /// Proposals so far.
    pub(crate) const fn tried(&self) -> u64 {
        self.tried
    }

    /// The share that is used up, of proposals or of time, whichever is more.
    pub(crate) fn used(&self) -> f64 {
        let time = (self.time)();
        if is_over(time) || self.tried >= self.most {
            return 1.0;
        }
        time.max(self.tried as f64 / self.most as f64)
    }

    /// Takes the next block of proposals, `most` of them at most, and returns how many they are: 0 if none is left.
    pub(crate) fn take_block(&mut self, most: u64) -> u64 {
        let block = BLOCK.min(most).min(self.left());
        self.tried += block;
        block
    }

    /// Proposals that are left.
    pub(crate) const fn left(&self) -> u64 {
        self.most - self.tried
    }

    /// Counts this many proposals that were not made.
    pub(crate) fn spend(&mut self, proposals: u64) {
        self.tried = self.tried.saturating_add(proposals).min(self.most);
    }
}
