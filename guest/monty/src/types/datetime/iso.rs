//! Forms of ISO 8601 that `fromisoformat` reads since Python 3.11, written in the extended form.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate, Weekday};

/// Returns a date, or a date and time, in the extended form; what is in none of the forms stays as it is.
pub(crate) fn extended(text: &str) -> Cow<'_, str> {
    match rewritten(text) {
        Some(rewritten) => Cow::Owned(rewritten),
        None => Cow::Borrowed(text),
    }
}

fn rewritten(text: &str) -> Option<String> {
    if !text.is_ascii() {
        return None;
    }
    let length = date_length(text.as_bytes())?;
    let (date, rest) = text.split_at_checked(length)?;
    let date = extended_date(date)?;
    if rest.is_empty() {
        return Some(date);
    }
    let (separator, time) = rest.split_at_checked(1)?;
    let place = time.find(['+', '-', 'Z', 'z']).unwrap_or(time.len());
    let (time, offset) = time.split_at(place);
    let time = extended_time(time)?;
    let offset = match offset.split_at_checked(1) {
        None => String::new(),
        Some((sign @ ("+" | "-"), offset)) => {
            // An offset of seconds is for the reader to refuse.
            let offset = extended_time(offset)?;
            format!(
                "{sign}{}",
                offset
                    .strip_suffix(":00")
                    .filter(|rest| rest.len() == 5)
                    .unwrap_or(&offset)
            )
        }
        Some((zulu, "")) => zulu.to_owned(),
        Some(_) => return None,
    };
    Some(format!("{date}{separator}{time}{offset}"))
}

/// Returns how much of a text is its date.
fn date_length(text: &[u8]) -> Option<usize> {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    Some(match (text.get(4)?, text.get(5)) {
        (b'-', Some(b'W')) if text.get(8) == Some(&b'-') && is_digit(9) => 10,
        (b'-', Some(b'W')) => 8,
        (b'-', _) => 10,
        (b'W', _) if is_digit(7) => 8,
        (b'W', _) => 7,
        _ => 8,
    })
}

fn extended_date(date: &str) -> Option<String> {
    let number = |part: &str| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok())?
    };
    let Some((year, week)) = date.split_once('W') else {
        return match date.len() {
            8 => {
                number(date)?;
                Some(format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]))
            }
            _ => Some(date.to_owned()),
        };
    };
    let year = number(year.trim_end_matches('-'))?;
    let (week, day) = week.split_at_checked(2)?;
    let day = match day.trim_start_matches('-') {
        "" => 1,
        day => number(day)?,
    };
    let day = Weekday::try_from(u8::try_from(day.checked_sub(1)?).ok()?).ok()?;
    let date = NaiveDate::from_isoywd_opt(i32::try_from(year).ok()?, number(week)?, day)?;
    Some(format!(
        "{:04}-{:02}-{:02}",
        date.year(),
        date.month(),
        date.day()
    ))
}

/// Returns a time with colons, and with seconds.
fn extended_time(time: &str) -> Option<String> {
    let place = time.find(['.', ',']).unwrap_or(time.len());
    let (whole, fraction) = time.split_at(place);
    let parts: Vec<&str> = match whole.contains(':') {
        true => whole.split(':').collect(),
        false if whole.len() % 2 == 0 => (0..whole.len())
            .step_by(2)
            .map(|at| &whole[at..at + 2])
            .collect(),
        false => return None,
    };
    let are_numbers = parts
        .iter()
        .all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()));
    if !are_numbers || !(1..=3).contains(&parts.len()) || (parts.len() < 3 && !fraction.is_empty())
    {
        return None;
    }
    let part = |at: usize| parts.get(at).copied().unwrap_or("00");
    // The reader takes six digits.
    let fraction = fraction.get(..7).unwrap_or(fraction).replace(',', ".");
    Some(format!("{}:{}:{}{fraction}", part(0), part(1), part(2)))
}
