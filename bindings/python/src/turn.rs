//! What a turn of a session sends, and what it was.
