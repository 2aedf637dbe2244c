//! Values that people write in their own way: `4` or `50%`, `90` or `10m`, `2G`.
//!
//! Each is read from text (a flag, a variable) and from TOML, where a plain number means the same.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// A number of things, or a share of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Count(usize),
    Percent(f64),
}

/// A span of time, in seconds or with a unit: `90`, `1.5`, `90s`, `10m`, `1h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time(pub Duration);

/// A size in bytes, or with a unit: `512M`, `2G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl Amount {
    /// How many of `all`; never none of some.
    pub fn of(self, all: usize) -> usize {
        match self {
            Amount::Count(count) => count,
            Amount::Percent(percent) => ((all as f64 * percent / 100.0).round() as usize).max(1),
        }
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Amount, String> {
        let wrong = || format!("`{text}` is neither a number such as `4` nor a share such as `50%`");
        let Some(percent) = text.strip_suffix('%') else { return text.parse().map(Amount::Count).map_err(|_| wrong()) };
        let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
        if percent > 0.0 && percent <= 100.0 { Ok(Amount::Percent(percent)) } else { Err(wrong()) }
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
        let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
        let seconds = unit.and_then(|(number, seconds)| Some(number.trim().parse::<f64>().ok()? * seconds));
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.map(Time).ok_or_else(|| format!("`{text}` is no time such as `90`, `90s`, `10m` or `1h`"))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        const UNITS: [(&str, u64); 4] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("", 1)];
        let unit = UNITS.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes)));
        let size = unit.and_then(|(number, bytes)| number.trim().parse::<u64>().ok()?.checked_mul(bytes));
        size.filter(|size| *size > 0).map(Size).ok_or_else(|| format!("`{text}` is no size such as `512M` or `2G`"))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Count(count) => write!(f, "{count}"),
            Amount::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Text or a plain number, read by the type's own `FromStr`.
struct Written<T>(std::marker::PhantomData<T>);

impl<T: FromStr<Err = String>> Visitor<'_> for Written<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

macro_rules! written {
    ($($type:ty),+) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_any(Written(std::marker::PhantomData))
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
}

written!(Amount, Time, Size);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_count_or_a_share() {
        assert_eq!("4".parse(), Ok(Amount::Count(4)));
        assert_eq!("12.5%".parse(), Ok(Amount::Percent(12.5)));
        for wrong in ["", "-1", "4.5", "0%", "101%", "x%", "%", "nan%"] {
            assert!(wrong.parse::<Amount>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_share_of_some_is_never_none() {
        assert_eq!(Amount::Percent(50.0).of(9), 5);
        assert_eq!(Amount::Percent(1.0).of(2), 1);
        assert_eq!(Amount::Count(7).of(2), 7);
    }

    #[test]
    fn a_time_may_carry_a_unit() {
        let seconds = |text: &str| text.parse::<Time>().map(|time| time.0.as_secs_f64());
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!(seconds("1.5s"), Ok(1.5));
        assert_eq!(seconds("10m"), Ok(600.0));
        assert_eq!(seconds("250ms"), Ok(0.25));
        for wrong in ["", "s", "-1", "ten", "nan", "inf", "1e400"] {
            assert!(wrong.parse::<Time>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_size_may_carry_a_unit() {
        assert_eq!("512M".parse(), Ok(Size(512 << 20)));
        assert_eq!("1024".parse(), Ok(Size(1024)));
        for wrong in ["", "G", "-1", "1.5G", "0", "99999999999G"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
