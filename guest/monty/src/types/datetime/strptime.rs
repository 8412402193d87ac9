//! `strptime` of `datetime` and `time`, as CPython's `_strptime.py`.

use chrono::{Datelike as _, Days, NaiveDate, NaiveDateTime, Weekday};
use monty_types::StringRepr;

use crate::exception_private::{ExcType, RunError, RunResult, SimpleException};

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// The most tries of parts of a text. Each directive stands once in a format, so honest ones need few.
const TRIES: u32 = 100_000;

/// A part of a format.
enum Part {
    Character(char),
    /// One white space or more.
    Space,
    Directive(char),
}

/// The values of directives.
#[derive(Default)]
struct Found {
    year: Option<i32>,
    month: Option<u32>,
    day: Option<u32>,
    hour: u32,
    /// The hour of `%I`.
    half: Option<u32>,
    is_afternoon: bool,
    minute: u32,
    second: u32,
    microsecond: u32,
    /// Days since Monday.
    weekday: Option<u32>,
    of_year: Option<i64>,
    /// The number of the week, and whether weeks begin on Monday.
    week: Option<(i64, bool)>,
    iso_year: Option<i32>,
    iso_week: Option<u32>,
    offset: Option<i32>,
}

fn value_error(text: impl Into<String>) -> RunError {
    SimpleException::new_msg(ExcType::ValueError, text.into()).into()
}

/// Returns the time that a text stands for, and the offset from UTC in seconds that `%z` found.
pub(crate) fn parse(text: &str, format: &str) -> RunResult<(NaiveDateTime, Option<i32>)> {
    let mut parts = Vec::new();
    read(format, format, &mut parts)?;
    let mut matched = Vec::new();
    let mut tries = TRIES;
    let Some(rest) = matches(&parts, text, &mut matched, &mut tries) else {
        return Err(value_error(format!(
            "time data {} does not match format {}",
            StringRepr(text),
            StringRepr(format)
        )));
    };
    if !rest.is_empty() {
        return Err(value_error(format!("unconverted data remains: {rest}")));
    }
    let mut found = Found::default();
    for (directive, token) in matched {
        found.take(directive, token)?;
    }
    found.finish()
}

/// Takes a format apart. `whole` is the one that errors show.
fn read(format: &str, whole: &str, parts: &mut Vec<Part>) -> RunResult<()> {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character.is_whitespace() {
            if !matches!(parts.last(), Some(Part::Space)) {
                parts.push(Part::Space);
            }
            continue;
        }
        if character != '%' {
            parts.push(Part::Character(character));
            continue;
        }
        match characters.next() {
            None => return Err(value_error(format!("stray % in format '{whole}'"))),
            Some('%') => parts.push(Part::Character('%')),
            Some('c') => read("%a %b %d %H:%M:%S %Y", whole, parts)?,
            Some('x') => read("%m/%d/%y", whole, parts)?,
            Some('X') => read("%H:%M:%S", whole, parts)?,
            Some(directive) if "aAbBdfGHIjmMpSuUVwWyYzZ".contains(directive) => {
                let is_there =
                    |part: &Part| matches!(part, Part::Directive(other) if *other == directive);
                if parts.iter().any(is_there) {
                    let text =
                        format!("redefinition of group name '{directive}' in format '{whole}'");
                    return Err(value_error(text));
                }
                parts.push(Part::Directive(directive));
            }
            Some(other) => {
                let text = format!("'{other}' is a bad directive in format '{whole}'");
                return Err(value_error(text));
            }
        }
    }
    Ok(())
}

/// Returns what is left of a text behind what the parts stand for, and appends what each directive stands for.
fn matches<'t>(
    parts: &[Part],
    text: &'t str,
    found: &mut Vec<(char, &'t str)>,
    tries: &mut u32,
) -> Option<&'t str> {
    let mut text = text;
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Character(wanted) => {
                let first = text.chars().next()?;
                if first != *wanted && !first.to_lowercase().eq(wanted.to_lowercase()) {
                    return None;
                }
                text = &text[first.len_utf8()..];
            }
            Part::Space => {
                let rest = text.trim_start();
                if rest.len() == text.len() {
                    return None;
                }
                text = rest;
            }
            Part::Directive(directive) => {
                for length in lengths(*directive, text) {
                    *tries = tries.checked_sub(1)?;
                    let (token, rest) = text.split_at(length);
                    found.push((*directive, token));
                    if let Some(rest) = matches(&parts[at + 1..], rest, found, tries) {
                        return Some(rest);
                    }
                    found.pop();
                }
                return None;
            }
        }
    }
    Some(text)
}

/// Returns how many bytes of a text a directive may stand for, the first one preferred.
fn lengths(directive: char, text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let digits = bytes
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    // Numbers of one digit or two in a range.
    let number = |low: u32, high: u32| {
        let mut lengths = Vec::new();
        for length in [2, 1] {
            let number = digits.ge(&length).then(|| text[..length].parse::<u32>());
            if matches!(number, Some(Ok(number)) if (low..=high).contains(&number)) {
                lengths.push(length);
            }
        }
        lengths
    };
    let names = |names: &[&str], short: bool| {
        let fits = |name: &&&str| {
            let start = text.get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        let cut: Vec<&str> = names
            .iter()
            .map(|name| if short { &name[..3] } else { name })
            .collect();
        // The longest one first.
        let mut lengths: Vec<usize> = cut.iter().filter(fits).map(|name| name.len()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    };
    let exactly = |count: usize| {
        let is_number = bytes.len() >= count && bytes[..count].iter().all(u8::is_ascii_digit);
        if is_number { vec![count] } else { Vec::new() }
    };
    match directive {
        'a' => names(&DAYS, true),
        'A' => names(&DAYS, false),
        'b' => names(&MONTHS, true),
        'B' => names(&MONTHS, false),
        'd' => {
            let mut lengths = number(1, 31);
            if let [b' ', b'1'..=b'9', ..] = bytes {
                lengths.push(2);
            }
            lengths
        }
        'f' => (1..=digits).rev().collect(),
        'H' => number(0, 23),
        'I' => number(1, 12),
        'j' => {
            let mut lengths = Vec::new();
            for length in [3, 2, 1] {
                let number = digits.ge(&length).then(|| text[..length].parse::<u32>());
                if matches!(number, Some(Ok(1..=366))) {
                    lengths.push(length);
                }
            }
            lengths
        }
        'm' => number(1, 12),
        'M' => number(0, 59),
        'p' => names(&["am", "pm"], false),
        'S' => number(0, 61),
        'u' => number(1, 7)
            .into_iter()
            .filter(|length| *length == 1)
            .collect(),
        'w' => number(0, 6)
            .into_iter()
            .filter(|length| *length == 1)
            .collect(),
        'U' | 'W' => number(0, 53),
        'V' => number(0, 53),
        'y' => exactly(2),
        'Y' | 'G' => exactly(4),
        'z' => offset_lengths(bytes),
        'Z' => names(&["utc", "gmt"], false),
        _ => Vec::new(),
    }
}

/// `Z`, or a sign, hours and minutes, and perhaps seconds and their fraction, with or without colons.
fn offset_lengths(bytes: &[u8]) -> Vec<usize> {
    if bytes.first() == Some(&b'Z') {
        return vec![1];
    }
    if !matches!(bytes.first(), Some(b'+' | b'-')) {
        return Vec::new();
    }
    let pair = |at: usize, tens: u8| {
        let at = if bytes.get(at) == Some(&b':') {
            at + 1
        } else {
            at
        };
        match bytes.get(at..at + 2) {
            Some([ten, one]) if ten.is_ascii_digit() && *ten <= tens && one.is_ascii_digit() => {
                Some(at + 2)
            }
            _ => None,
        }
    };
    let Some(minutes) = bytes
        .get(1..3)
        .filter(|hour| hour.iter().all(u8::is_ascii_digit))
        .and_then(|_| pair(3, b'5'))
    else {
        return Vec::new();
    };
    let mut lengths = vec![minutes];
    if let Some(seconds) = pair(minutes, b'5') {
        lengths.insert(0, seconds);
        let digits = bytes[seconds..]
            .iter()
            .skip(1)
            .take(6)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if bytes.get(seconds) == Some(&b'.') && digits > 0 {
            lengths.insert(0, seconds + 1 + digits);
        }
    }
    lengths
}

/// Returns the index of a name that begins as a text does.
fn index(names: &[&str], token: &str) -> Option<u32> {
    let token = token.to_ascii_lowercase();
    let at = names.iter().position(|name| name.starts_with(&token))?;
    u32::try_from(at).ok()
}

impl Found {
    /// Notes what a directive stands for.
    fn take(&mut self, directive: char, token: &str) -> RunResult<()> {
        let number = token.trim_start().parse::<u32>().unwrap_or(0);
        let year = token.parse::<i32>().unwrap_or(0);
        match directive {
            'a' | 'A' => self.weekday = index(&DAYS, token),
            'b' | 'B' => self.month = index(&MONTHS, token).map(|index| index + 1),
            'd' => self.day = Some(number),
            'f' => self.microsecond = format!("{token:0<6}").parse().unwrap_or(0),
            'H' => self.hour = number,
            'I' => self.half = Some(number),
            'j' => self.of_year = Some(i64::from(number)),
            'm' => self.month = Some(number),
            'M' => self.minute = number,
            'p' => self.is_afternoon = token.eq_ignore_ascii_case("pm"),
            'S' => self.second = number,
            'u' => self.weekday = Some(number.wrapping_sub(1)),
            'w' => self.weekday = Some((number + 6) % 7),
            'U' | 'W' => self.week = Some((i64::from(number), directive == 'W')),
            'V' => self.iso_week = Some(number),
            'G' => self.iso_year = Some(year),
            'y' => self.year = Some(if year <= 68 { year + 2000 } else { year + 1900 }),
            'Y' => self.year = Some(year),
            'z' => self.offset = Some(offset(token)?),
            _ => {}
        }
        Ok(())
    }

    /// Returns the time that was found, with the first of January 1900 for what was not.
    fn finish(self) -> RunResult<(NaiveDateTime, Option<i32>)> {
        let hour = match self.half {
            Some(half) => half % 12 + if self.is_afternoon { 12 } else { 0 },
            None => self.hour,
        };
        let date = self.date()?;
        if self.second > 59 {
            return Err(value_error("second must be in 0..59"));
        }
        let time = date.and_hms_micro_opt(hour, self.minute, self.second, self.microsecond);
        let time = time.ok_or_else(|| value_error("time is out of range"))?;
        Ok((time, self.offset))
    }

    fn date(&self) -> RunResult<NaiveDate> {
        let out_of_range = || value_error("day is out of range for month");
        match (self.iso_year, self.iso_week) {
            (None, None) => {}
            (Some(_), _) if self.of_year.is_some() => {
                return Err(value_error(
                    "Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead.",
                ));
            }
            (Some(year), Some(week)) if let Some(weekday) = self.weekday => {
                let weekday =
                    Weekday::try_from(u8::try_from(weekday).unwrap_or(0)).unwrap_or(Weekday::Mon);
                let date = NaiveDate::from_isoywd_opt(year, week, weekday);
                return date.ok_or_else(|| value_error(format!("Invalid week: {week}")));
            }
            (Some(_), _) => {
                return Err(value_error(
                    "ISO year directive '%G' must be used with the ISO week directive '%V' and a weekday directive \
                     ('%A', '%a', '%w', or '%u').",
                ));
            }
            (None, Some(_)) => {
                let text = match self.year {
                    Some(_) if self.weekday.is_some() => {
                        "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' \
                         instead."
                    }
                    _ => {
                        "ISO week directive '%V' must be used with the ISO year directive '%G' and a weekday directive \
                         ('%A', '%a', '%w', or '%u')."
                    }
                };
                return Err(value_error(text));
            }
        }
        let year = self.year.unwrap_or(1900);
        let first = NaiveDate::from_ymd_opt(year, 1, 1).filter(|_| year > 0);
        let first = first.ok_or_else(|| value_error(format!("year {year} is out of range")))?;
        let mut of_year = self.of_year;
        if of_year.is_none()
            && let (Some((week, is_monday)), Some(weekday)) = (self.week, self.weekday)
        {
            of_year = Some(in_week(first, week, is_monday, weekday));
        }
        let Some(of_year) = of_year else {
            let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
            return NaiveDate::from_ymd_opt(year, month, day).ok_or_else(out_of_range);
        };
        let days = Days::new(of_year.saturating_sub(1).unsigned_abs());
        let date = match of_year >= 1 {
            true => first.checked_add_days(days),
            false => first.checked_sub_days(days),
        };
        date.filter(|date| date.year() > 0).ok_or_else(out_of_range)
    }
}

/// Returns the number of a day in its year, of the week and the day in it.
fn in_week(first: NaiveDate, week: i64, is_monday: bool, weekday: u32) -> i64 {
    let shift = i64::from(!is_monday);
    let first = (i64::from(first.weekday().num_days_from_monday()) + shift) % 7;
    let weekday = (i64::from(weekday) + shift) % 7;
    match week {
        0 => 1 + weekday - first,
        _ => 1 + (7 - first) % 7 + 7 * (week - 1) + weekday,
    }
}

/// Returns the seconds of an offset from UTC.
fn offset(token: &str) -> RunResult<i32> {
    if token == "Z" {
        return Ok(0);
    }
    let has_colon = token.as_bytes().get(3) == Some(&b':');
    let whole = token.split('.').next().unwrap_or(token);
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    if digits.len() == 6 && (whole.matches(':').count() == 2) != has_colon {
        return Err(value_error(format!("Inconsistent use of : in {token}")));
    }
    let part = |at: usize| {
        let part = digits.get(at..at + 2);
        part.and_then(|part| part.parse::<i32>().ok()).unwrap_or(0)
    };
    let seconds = part(0) * 3600 + part(2) * 60 + part(4);
    Ok(if token.starts_with('-') {
        -seconds
    } else {
        seconds
    })
}
