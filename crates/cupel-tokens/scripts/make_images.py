#!/usr/bin/env python3
"""Writes small images with Pillow, in base64, for `tests/image_sizes.rs`: every one is 37 x 23.

    pip install pillow
    python3 make_images.py > ../tests/fixtures/images.json
"""

import base64
import io
import json
import sys

from PIL import Image

WAYS = {
    "png": ("PNG", {}),
    "png with a palette": ("PNG", {"optimize": True}),
    "gif": ("GIF", {}),
    "jpeg": ("JPEG", {"quality": 30}),
    "jpeg, progressive": ("JPEG", {"quality": 30, "progressive": True}),
    "jpeg with exif and a profile": ("JPEG", {"exif": b"Exif\0\0" + bytes(300), "icc_profile": bytes(70_000)}),
    "webp, lossy": ("WEBP", {"quality": 30}),
    "webp, lossless": ("WEBP", {"lossless": True}),
    "webp, extended": ("WEBP", {"exif": b"Exif\0\0" + bytes(20)}),
}


def main():
    image = Image.linear_gradient("L").resize((37, 23)).convert("RGB")
    files = {}
    for name, (kind, options) in WAYS.items():
        file = io.BytesIO()
        picture = image.convert("P") if "palette" in name else image
        picture.save(file, kind, **options)
        files[name] = base64.b64encode(file.getvalue()).decode()
    json.dump(files, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
