//! Adding to lists in loops that have no time to lose.

/// [`Vec::push`] where there is room for one more, as there is in what a run lends. With the
/// code that makes room elsewhere, loops around it are shorter.
#[inline]
pub(crate) fn push_within<T: Copy>(list: &mut Vec<T>, value: T) {
    if list.len() < list.capacity() {
        list.push(value);
    } else {
        push_beyond(list, value);
    }
}

#[cold]
#[inline(never)]
fn push_beyond<T>(list: &mut Vec<T>, value: T) {
    list.push(value);
}

/// [`Vec::push`] of something that is made where it is kept. Made elsewhere and copied, it keeps a
/// processor waiting that has yet to see its parts together: a tenth of `run/a` at 10 candidates. That
/// is why inlining is not left to chance.
#[inline(always)]
pub(crate) fn push_in_place<T>(list: &mut Vec<T>, make: impl FnOnce() -> T) {
    if list.len() == list.capacity() {
        make_room(list);
    }
    // So that the compiler sees, too, that nothing can go wrong between making and keeping it.
    if list.len() < list.capacity() {
        list.push(make());
    }
}

#[cold]
#[inline(never)]
pub(crate) fn make_room<T>(list: &mut Vec<T>) {
    list.reserve(1);
}
