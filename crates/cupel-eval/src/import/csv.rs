//! Comma-separated values, as RFC 4180 has them.

/// The records of `text`: fields may be quoted, and then hold commas, line breaks and doubled quotes. `None` where a
/// quoted field does not end.
pub(super) fn records(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if field.is_empty() => loop {
                match chars.next()? {
                    '"' if chars.peek() == Some(&'"') => field.extend(chars.next()),
                    '"' => break,
                    inside => field.push(inside),
                }
            },
            ',' => record.push(std::mem::take(&mut field)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            plain => field.push(plain),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    Some(records)
}

#[cfg(test)]
mod tests {
    use super::records;

    #[test]
    fn quoted_fields_hold_commas_quotes_and_line_breaks() {
        let read = records("a,b\r\n\"x, \"\"y\"\"\nz\",2\n\n,").unwrap();
        assert_eq!(read, [vec!["a", "b"], vec!["x, \"y\"\nz", "2"], vec![""], vec!["", ""]]);
        assert_eq!(records("\"never ends"), None);
        assert_eq!(records(""), Some(vec![]));
    }
}
