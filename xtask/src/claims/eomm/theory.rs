//! Section 4: which pairings are equivalent, best and worst, and when (EOMM-Th*, -X4, -X5), and the law of the gain.

use super::super::Check;

pub(super) const CHECKS: &[Check] = &[
    Check::to_be_built("EOMM-Th1"),
    Check::to_be_built("EOMM-Th2"),
    Check::to_be_built("EOMM-Th3"),
    Check::to_be_built("EOMM-Th4"),
    Check::to_be_built("EOMM-Th5"),
    Check::to_be_built("EOMM-X4"),
    Check::to_be_built("EOMM-X5"),
    Check::to_be_built("EOMM-gain-law"),
];
