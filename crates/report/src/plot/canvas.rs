//! A drawing of braille dots, two by four in each character.

/// The dots of a braille character by column and row, from the top left (Unicode, block 2800).
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
const BRAILLE: u32 = 0x2800;
/// Every third dot of a reference is drawn.
const GUIDE_EVERY: usize = 3;
/// Stands where markers of several series meet.
const SEVERAL: char = '*';
/// ANSI colours of the series, in their order: those that stand out on dark and light grounds.
const COLOURS: [u8; 6] = [34, 33, 32, 35, 36, 31];

/// The letter of a series; letters repeat after `z`.
pub(super) fn sign(number: usize) -> char {
    (b'a'..=b'z').cycle().nth(number % 26).map_or('a', char::from)
}

/// What something is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Guide,
    Series(usize),
}

impl Ink {
    /// One character in this ink.
    pub(super) fn paint(self, character: char, colours: bool) -> String {
        match self {
            Self::Series(number) if colours => {
                format!("\u{1b}[{}m{character}\u{1b}[0m", COLOURS[number % COLOURS.len()])
            }
            _ => character.to_string(),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    dots: u8,
    sign: Option<char>,
    ink: Option<Ink>,
}

/// A grid of characters.
pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            cells: vec![Cell::default(); columns * rows],
        }
    }

    /// A line between two places of the unit square, with its origin below.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        let (width, height) = (2 * self.columns, 4 * self.rows);
        let dot = |(across, up): (f64, f64)| (nearest(across, width), nearest(1.0 - up, height));
        let (start, end) = (dot(from), dot(to));
        let steps = start.0.abs_diff(end.0).max(start.1.abs_diff(end.1));
        for step in 0..=steps {
            let part = |from: usize, to: usize| {
                let way = from.abs_diff(to) * step;
                let way = if steps == 0 {
                    0
                } else {
                    (2 * way + steps) / (2 * steps)
                };
                if to >= from { from + way } else { from - way }
            };
            let at = (part(start.0, end.0), part(start.1, end.1));
            if ink != Ink::Guide || at.0 % GUIDE_EVERY == 0 {
                self.dot(at, ink);
            }
        }
    }

    fn dot(&mut self, (across, down): (usize, usize), ink: Ink) {
        let cell = &mut self.cells[down / 4 * self.columns + across / 2];
        cell.dots |= DOTS[across % 2][down % 4];
        cell.ink = Some(ink);
    }

    /// A sign at a place, [`SEVERAL`] where another stands already. If it is to be `alone`, it goes to the nearest row
    /// in which no other sign stands.
    pub(super) fn mark(&mut self, (across, up): (f64, f64), sign: char, number: usize, alone: bool) {
        let (column, row) = (nearest(across, self.columns), nearest(1.0 - up, self.rows));
        let index = |row: usize| row * self.columns + column;
        let free = (0..self.rows)
            .filter(|&row| self.cells[index(row)].sign.is_none())
            .min_by_key(|other| other.abs_diff(row));
        let row = if alone { free.unwrap_or(row) } else { row };
        let index = index(row);
        let other = self.cells[index].sign.filter(|other| *other != sign && !alone);
        self.cells[index].sign = Some(other.map_or(sign, |_| SEVERAL));
        self.cells[index].ink = Some(Ink::Series(number));
    }

    /// A row from the top, without blanks at its end.
    pub(super) fn row(&self, row: usize, colours: bool) -> String {
        let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
        let used = cells
            .iter()
            .rposition(|cell| cell.ink.is_some())
            .map_or(0, |last| last + 1);
        let show = |cell: &Cell| {
            let dots = char::from_u32(BRAILLE + u32::from(cell.dots)).filter(|_| cell.dots > 0);
            let character = cell.sign.or(dots).unwrap_or(' ');
            cell.ink
                .map_or(" ".to_owned(), |ink| ink.paint(character, colours))
        };
        cells[..used].iter().map(show).collect()
    }
}

/// The cell of `count` in which a position from 0 to 1 falls.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the cells; the cast saturates and takes NaN for 0"
)]
pub(super) fn nearest(position: f64, count: usize) -> usize {
    let last = count.saturating_sub(1);
    ((position * last as f64).round().max(0.0) as usize).min(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_runs_through_the_dots_of_one_character() {
        let mut canvas = Canvas::new(1, 1);
        canvas.line((0.0, 1.0), (1.0, 0.0), Ink::Series(0));
        let drawn = canvas.row(0, false).chars().next().map_or(0, u32::from);
        // Two dots on the left above, two on the right below.
        assert_eq!(drawn - BRAILLE, 0x01 | 0x02 | 0x20 | 0x80);
    }

    #[test]
    fn markers_that_meet_are_not_hidden() {
        let mut canvas = Canvas::new(3, 1);
        for (across, letter) in [(0.0, 'a'), (0.0, 'a'), (1.0, 'a'), (1.0, 'b'), (1.0, 'c')] {
            canvas.mark((across, 0.5), letter, 0, false);
        }
        assert_eq!(canvas.row(0, false), "a *");
    }

    #[test]
    fn signs_that_would_hide_each_other_stand_above_each_other() {
        let mut canvas = Canvas::new(3, 3);
        for (number, letter) in ['a', 'b', 'c', 'd'].into_iter().enumerate() {
            canvas.mark((1.0, 0.5), letter, number, true);
        }
        let rows: Vec<String> = (0..3).map(|row| canvas.row(row, false)).collect();
        assert_eq!(rows, ["  b", "  d", "  c"]);
    }
}
