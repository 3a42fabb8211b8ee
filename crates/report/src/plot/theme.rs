//! Colours of plots in light and dark mode, as CSS classes.
//!
//! Plotters writes fixed colours. The drawing code therefore paints with sentinels, colours that mean a [`Role`] and
//! are never seen, and [`apply`] turns each attribute that holds one into the role's light colour plus a class. The
//! style sheet gives the class a CSS variable, and the variable a light and a dark value. A viewer without CSS
//! variables still shows the light colours. User text cannot be mistaken for a sentinel: plotters escapes the
//! quotation mark that starts it.

use std::fmt::Write as _;

use plotters::style::RGBColor;

/// What a stroke or an area stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The ground.
    Surface,
    /// Title, labels.
    Text,
    /// Tick labels, the note.
    Muted,
    /// Grid lines.
    Grid,
    /// The two axis lines.
    Axis,
    /// A reference series.
    Guide {
        /// Index into [`DASHES`].
        dash: usize,
    },
    /// A series of the palette.
    Series {
        /// Index into the palette.
        colour: usize,
        /// Index into [`DASHES`].
        dash: usize,
    },
}

/// Name of the CSS variable, light value, dark value.
type Colour = (&'static str, &'static str, &'static str);

const SURFACE: Colour = ("surface", "#ffffff", "#14171c");
const TEXT: Colour = ("text", "#1b1f24", "#e6e8eb");
const MUTED: Colour = ("muted", "#59616b", "#a3abb5");
const GRID: Colour = ("grid", "#e3e6ea", "#2c323a");
const AXIS: Colour = ("axis", "#8a929c", "#6c757f");
const GUIDE: Colour = ("guide", "#767e88", "#8b949e");
/// Distinct under the common colour-vision deficiencies and at least 3:1 against the ground (tested below).
const PALETTE: [Colour; 6] = [
    ("c0", "#0955a7", "#3fa5e5"),
    ("c1", "#de650c", "#f29148"),
    ("c2", "#1f8a6b", "#3ad0a2"),
    ("c3", "#a9478c", "#df81bb"),
    ("c4", "#695300", "#e8d550"),
    ("c5", "#3d4650", "#c9d0d8"),
];

/// The number of colours before the palette repeats.
pub(crate) const COLOURS: usize = PALETTE.len();

/// Dash patterns in canvas units; the first is solid.
pub(crate) const DASHES: [&str; 6] = ["", "70 40", "20 35", "100 35 20 35", "140 45", "45 25"];

/// Red part of every sentinel; green is the role, blue its indices.
const MARK: u8 = 0xA7;

impl Role {
    /// The colour to draw with.
    pub(crate) fn sentinel(self) -> RGBColor {
        let pack = |colour: usize, dash: usize| {
            u8::try_from(colour % COLOURS + COLOURS * (dash % DASHES.len())).unwrap_or(0)
        };
        match self {
            Self::Surface => RGBColor(MARK, 0, 0),
            Self::Text => RGBColor(MARK, 1, 0),
            Self::Muted => RGBColor(MARK, 2, 0),
            Self::Grid => RGBColor(MARK, 3, 0),
            Self::Axis => RGBColor(MARK, 4, 0),
            Self::Guide { dash } => RGBColor(MARK, 5, pack(0, dash)),
            Self::Series { colour, dash } => RGBColor(MARK, 6, pack(colour, dash)),
        }
    }

    /// The role whose sentinel is `#A7rrii`, given as `A7rrii`.
    fn of_sentinel(hex: &str) -> Option<Self> {
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        if byte(0)? != MARK {
            return None;
        }
        let index = usize::from(byte(4)?);
        let (colour, dash) = (index % COLOURS, index / COLOURS);
        match byte(2)? {
            0 => Some(Self::Surface),
            1 => Some(Self::Text),
            2 => Some(Self::Muted),
            3 => Some(Self::Grid),
            4 => Some(Self::Axis),
            5 => Some(Self::Guide { dash }),
            6 => Some(Self::Series { colour, dash }),
            _ => None,
        }
    }

    fn colour(self) -> Colour {
        match self {
            Self::Surface => SURFACE,
            Self::Text => TEXT,
            Self::Muted => MUTED,
            Self::Grid => GRID,
            Self::Axis => AXIS,
            Self::Guide { .. } => GUIDE,
            Self::Series { colour, .. } => PALETTE[colour % COLOURS],
        }
    }

    fn dash(self) -> &'static str {
        match self {
            Self::Guide { dash } | Self::Series { dash, .. } => DASHES[dash % DASHES.len()],
            _ => "",
        }
    }
}

/// The plotters drawing `svg` with every sentinel replaced: `stroke="#A70301"` becomes the light colour and a class.
pub(crate) fn apply(svg: &str) -> String {
    const OPENING: &str = "=\"#";
    let mut themed = String::with_capacity(svg.len() + svg.len() / 2);
    let mut rest = svg;
    while let Some(at) = rest.find(OPENING) {
        let (before, from) = rest.split_at(at);
        themed.push_str(before);
        let role = from
            .get(OPENING.len()..OPENING.len() + 6)
            .and_then(Role::of_sentinel);
        if let Some(role) = role {
            let kind = if before.ends_with("stroke") { 's' } else { 'f' };
            let (name, light, _) = role.colour();
            let _ = write!(themed, "=\"{light}\" class=\"mw-{kind}-{name}\"");
            if kind == 's' && !role.dash().is_empty() {
                let _ = write!(themed, " stroke-dasharray=\"{}\"", role.dash());
            }
            // Past the sentinel and its closing quotation mark.
            rest = &from[OPENING.len() + 7..];
        } else {
            themed.push_str(OPENING);
            rest = &from[OPENING.len()..];
        }
    }
    themed.push_str(rest);
    // Plotters states the opacity of every shape, also of those that are not translucent.
    themed.replace(" opacity=\"1\"", "")
}

/// The style sheet of every plot. Selectors start at `.mw-plot`, so that it can stand in a page as well as in a file.
pub(crate) fn style_sheet() -> String {
    let colours = [SURFACE, TEXT, MUTED, GRID, AXIS, GUIDE]
        .into_iter()
        .chain(PALETTE);
    let mut light = String::new();
    let mut dark = String::new();
    let mut classes = String::new();
    for (name, light_value, dark_value) in colours {
        let _ = write!(light, "--mw-{name}:{light_value};");
        let _ = write!(dark, "--mw-{name}:{dark_value};");
        let _ = write!(classes, ".mw-plot .mw-s-{name}{{stroke:var(--mw-{name})}}");
        let _ = writeln!(classes, ".mw-plot .mw-f-{name}{{fill:var(--mw-{name})}}");
    }
    // Only screens go dark: paper stays white.
    format!(
        ".mw-plot{{{light}display:block;width:100%;height:auto}}\n\
         @media screen and (prefers-color-scheme:dark){{.mw-plot{{{dark}}}}}\n\
         .mw-plot text{{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}}\n\
         .mw-plot polyline{{stroke-linejoin:round}}\n{classes}"
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// sRGB channels in 0..=1.
    fn srgb(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0)
    }

    /// Linear sRGB (WCAG 2.1).
    fn linear(srgb: [f64; 3]) -> [f64; 3] {
        srgb.map(|channel| {
            if channel <= 0.04045 {
                channel / 12.92
            } else {
                ((channel + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let luminance = |srgb| {
            let [red, green, blue] = linear(srgb);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// CIE 1976 L*a*b* of linear sRGB, D65.
    fn lab([red, green, blue]: [f64; 3]) -> [f64; 3] {
        let x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505;
        let y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        let z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089;
        let f = |t: f64| {
            if t > 0.008856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
    }

    /// Full protanopia, deuteranopia and tritanopia on linear sRGB: Machado, Oliveira and Fernandes, "A
    /// physiologically- based model for simulation of color vision deficiency", IEEE TVCG 15(6), 2009, DOI
    /// 10.1109/TVCG.2009.113.
    const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    fn closest_pair(colours: &[&str], seen_as: &[[f64; 3]; 3]) -> f64 {
        let seen: Vec<[f64; 3]> = colours
            .iter()
            .map(|hex| {
                let rgb = linear(srgb(hex));
                lab(seen_as.map(|row| {
                    row.iter()
                        .zip(rgb)
                        .map(|(weight, channel)| weight * channel)
                        .sum::<f64>()
                        .clamp(0.0, 1.0)
                }))
            })
            .collect();
        let mut least = f64::INFINITY;
        for (index, one) in seen.iter().enumerate() {
            for other in &seen[index + 1..] {
                least = least.min(
                    one.iter()
                        .zip(other)
                        .map(|(a, b)| (a - b).powi(2))
                        .sum::<f64>()
                        .sqrt(),
                );
            }
        }
        least
    }

    #[test]
    fn text_and_series_stand_out_from_the_ground() {
        for (index, ground) in [SURFACE.1, SURFACE.2].into_iter().enumerate() {
            let value = |colour: Colour| srgb(if index == 0 { colour.1 } else { colour.2 });
            let ground = srgb(ground);
            for colour in [TEXT, MUTED] {
                assert!(contrast(value(colour), ground) >= 4.5, "{colour:?}");
            }
            for colour in PALETTE.into_iter().chain([GUIDE, AXIS]) {
                assert!(
                    contrast(value(colour), ground) >= 3.0,
                    "{colour:?}: {}",
                    contrast(value(colour), ground)
                );
            }
        }
    }

    #[test]
    fn colours_stay_apart_under_colour_vision_deficiencies() {
        for palette in [PALETTE.map(|colour| colour.1), PALETTE.map(|colour| colour.2)] {
            for deficiency in &DEFICIENCIES {
                // A difference of 2.3 is just noticeable; six times that tells lines apart at a glance.
                let least = closest_pair(&palette, deficiency);
                assert!(least >= 15.0, "{palette:?}: {least}");
            }
        }
    }

    /// In a cell of the first colour with this opacity.
    pub(crate) fn assert_text_stands_out_over_the_first_colour(opacity: f64) {
        for of in [|colour: Colour| srgb(colour.1), |colour: Colour| srgb(colour.2)] {
            let (colour, ground) = (of(PALETTE[0]), of(SURFACE));
            let cell = [0, 1, 2].map(|k| opacity * colour[k] + (1.0 - opacity) * ground[k]);
            assert!(contrast(of(TEXT), cell) >= 4.5, "{}", contrast(of(TEXT), cell));
        }
    }

    #[test]
    fn every_sentinel_finds_its_role() {
        let series =
            (0..COLOURS).flat_map(|colour| (0..DASHES.len()).map(move |dash| Role::Series { colour, dash }));
        let guides = (0..DASHES.len()).map(|dash| Role::Guide { dash });
        for role in [Role::Surface, Role::Text, Role::Muted, Role::Grid, Role::Axis]
            .into_iter()
            .chain(series)
            .chain(guides)
        {
            let RGBColor(red, green, blue) = role.sentinel();
            assert_eq!(
                Role::of_sentinel(&format!("{red:02X}{green:02X}{blue:02X}")),
                Some(role)
            );
        }
    }

    #[test]
    fn a_sentinel_becomes_a_light_colour_and_a_class_and_nothing_else_changes() {
        let drawn = "<line opacity=\"1\" stroke=\"#A70607\" x1=\"0\"/><circle fill=\"#A70601\" stroke=\"none\"/><a b=\"#123456\"/>";
        assert_eq!(
            apply(drawn),
            "<line stroke=\"#de650c\" class=\"mw-s-c1\" stroke-dasharray=\"70 40\" x1=\"0\"/>\
             <circle fill=\"#de650c\" class=\"mw-f-c1\" stroke=\"none\"/><a b=\"#123456\"/>"
        );
    }
}
