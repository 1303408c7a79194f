//! Width and height from the first bytes of a file.

use cupel_tokens::image::Size;
use proptest::prelude::*;

const SIZE: Size = Size { width: 1234, height: 567 };

fn png() -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    file.extend(SIZE.width.to_be_bytes());
    file.extend(SIZE.height.to_be_bytes());
    file
}

fn gif(version: &[u8; 6]) -> Vec<u8> {
    let mut file = version.to_vec();
    file.extend((SIZE.width as u16).to_le_bytes());
    file.extend((SIZE.height as u16).to_le_bytes());
    file
}

/// With a preview of another size inside its first segment, padding, and a table before the frame.
fn jpeg(frame: u8) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8, 0xff, 0xe1, 0x00, 0x20];
    file.extend([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9]);
    file.extend([0; 19]);
    file.extend([0xff, 0xff, 0xff, 0xc4, 0x00, 0x03, 0x00]);
    file.extend([0xff, frame, 0x00, 0x11, 0x08]);
    file.extend((SIZE.height as u16).to_be_bytes());
    file.extend((SIZE.width as u16).to_be_bytes());
    file
}

fn webp(kind: &[u8; 4], rest: &[u8]) -> Vec<u8> {
    let mut file = b"RIFF\xff\xff\0\0WEBP".to_vec();
    file.extend(kind);
    file.extend([0xff, 0, 0, 0]);
    file.extend(rest);
    file
}

fn webp_lossy() -> Vec<u8> {
    let mut rest = vec![0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a];
    // The upper two bits ask for scaling, which changes nothing here.
    rest.extend((SIZE.width as u16 | 0x4000).to_le_bytes());
    rest.extend((SIZE.height as u16).to_le_bytes());
    webp(b"VP8 ", &rest)
}

fn webp_lossless() -> Vec<u8> {
    let bits = (SIZE.width - 1) | (SIZE.height - 1) << 14 | 1 << 28;
    let mut rest = vec![0x2f];
    rest.extend(bits.to_le_bytes());
    webp(b"VP8L", &rest)
}

fn webp_extended() -> Vec<u8> {
    let mut rest = vec![0x10, 0, 0, 0];
    rest.extend(&(SIZE.width - 1).to_le_bytes()[..3]);
    rest.extend(&(SIZE.height - 1).to_le_bytes()[..3]);
    webp(b"VP8X", &rest)
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("png", png()),
        ("gif 87", gif(b"GIF87a")),
        ("gif 89", gif(b"GIF89a")),
        ("jpeg", jpeg(0xc0)),
        ("progressive jpeg", jpeg(0xc2)),
        ("webp, lossy", webp_lossy()),
        ("webp, lossless", webp_lossless()),
        ("webp, extended", webp_extended()),
    ]
}

/// The plainest encoder there is.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for at in 0..4 {
            let six = (bits >> (18 - 6 * at)) & 63;
            text.push(if at <= three.len() { char::from(ALPHABET[six as usize]) } else { '=' });
        }
    }
    text
}

#[test]
fn every_format_says_its_size_in_its_first_bytes() {
    for (name, file) in files() {
        assert_eq!(Size::of_bytes(&file), Some(SIZE), "{name}");
        assert_eq!(Size::of_base64(&base64(&file)), Some(SIZE), "{name}");
        let url = format!("data:image/x;base64,{}", base64(&file));
        assert_eq!(Size::of_data_url(&url), Some(SIZE), "{name}");
    }
}

/// Written by Pillow, with `scripts/make_images.py`.
#[test]
fn files_that_another_program_wrote_are_read() {
    let files: serde_json::Value =
        serde_json::from_str(include_str!("fixtures/images.json")).unwrap();
    let files = files.as_object().unwrap();
    assert!(files.len() >= 9);
    for (name, file) in files {
        let size = Size::of_base64(file.as_str().unwrap());
        assert_eq!(size, Some(Size { width: 37, height: 23 }), "{name}");
    }
}

#[test]
fn what_is_cut_off_before_its_size_has_none() {
    for (name, file) in files() {
        for end in 0..file.len() {
            assert_eq!(Size::of_bytes(&file[..end]), None, "{name}, {end} bytes");
            assert_eq!(Size::of_base64(&base64(&file[..end])), None, "{name}, {end} bytes");
        }
    }
}

#[test]
fn base64_may_be_wrapped_and_url_safe() {
    for (name, mut file) in files() {
        file.extend((0..200).map(|it| it as u8));
        let text = base64(&file);
        let lines: Vec<_> = text.as_bytes().chunks(76).map(str::from_utf8).collect();
        let wrapped = lines.into_iter().collect::<Result<Vec<_>, _>>().unwrap().join("\r\n");
        assert_eq!(Size::of_base64(&wrapped), Some(SIZE), "{name}");
        assert_eq!(Size::of_base64(&format!("\n{text}")), Some(SIZE), "{name}");
        let url_safe = text.replace('+', "-").replace('/', "_");
        assert_eq!(Size::of_base64(&url_safe), Some(SIZE), "{name}");
    }
}

#[test]
fn a_jpeg_says_its_size_behind_a_long_profile() {
    let mut file = vec![0xff, 0xd8];
    for _ in 0..20 {
        file.extend([0xff, 0xe2, 0xff, 0xff]);
        file.extend(vec![7; 0xffff - 2]);
    }
    file.extend(&jpeg(0xc0)[2..]);
    assert_eq!(Size::of_bytes(&file), Some(SIZE));
    assert_eq!(Size::of_base64(&base64(&file)), Some(SIZE));
}

#[test]
fn what_is_no_image_has_no_size() {
    for bytes in [&b""[..], b"%PDF-1.7", b"BM", b"RIFF....WAVE", b"\xff\xd8\xff\xda", b"GIF90a"] {
        assert_eq!(Size::of_bytes(bytes), None);
    }
    let empty = Size { width: 0, ..SIZE };
    let mut png = png();
    png[16..20].copy_from_slice(&empty.width.to_be_bytes());
    assert_eq!(Size::of_bytes(&png), None);
    for url in
        ["https://example.org/a.png", "data:image/png,abc", "data:", "dataé;base64,iVBOR", ""]
    {
        assert_eq!(Size::of_data_url(url), None, "{url}");
    }
}

proptest! {
    #[test]
    fn hostile_bytes_never_panic(
        at in 0_usize..8,
        changed in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        more in prop::collection::vec(any::<u8>(), 0..50),
    ) {
        let mut file = files().swap_remove(at).1;
        for (index, byte) in changed {
            let index = index.index(file.len());
            file[index] = byte;
        }
        file.extend(more);
        prop_assert_eq!(Size::of_bytes(&file), Size::of_base64(&base64(&file)));
    }

    #[test]
    fn hostile_text_never_panics(text in any::<String>(), head in "(data:)?[a-z/;]{0,9}(;base64,)?") {
        let _ = Size::of_base64(&text);
        let _ = Size::of_data_url(&format!("{head}{text}"));
    }
}
