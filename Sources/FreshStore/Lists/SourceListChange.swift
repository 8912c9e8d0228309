/// A source's answer to a request for a list.
///
/// A source that tells changes since a cursor needs ``delta(_:removals:cursor:)`` and
/// ``deltaPage(_:removals:next:cursor:)`` alone: in answer to a question without a cursor
/// (``PreviousList/wantsWhole``) they are the whole list, as what has changed since nothing is all of it, and
/// members that they do not mention are removed. A source that cannot tell the whole list then is to throw an
/// error, and not to return a part of it.
///
/// A cursor stands for a state of the list: the answer to it tells all that has changed since, even if it
/// has changed back. That state must not be newer than the answer it comes with; of an answer in pages, not
/// newer than the first one, as what changes while the others are requested is on none of them. A source
/// whose last page names a newer state passes a cursor with each page: the first page's counts. Without
/// one, the last page's is taken for the state at the first.
///
/// Of two keys that are equal to Swift, in two Unicode forms, an answer holds one: they need two pages.
public enum SourceListChange<Value: Sendable>: Sendable {
  /// The whole list, or its last page: members missing from it, and from the pages before, are removed.
  /// The next fetch gets the cursor back; `nil` when the source has none.
  case full([String: ListMember<Value>], cursor: String?)
  /// The changes since the cursor that was sent, or their last page. Members that it does not mention, nor
  /// the pages before, are renewed: they have not changed since. Where no cursor was sent, this is the whole
  /// list.
  case delta([String: ListMember<Value>], removals: [String], cursor: String?)
  /// A page of the whole list. The source is asked for the next one with this token, as
  /// ``PreviousList/page``. Members are as old as the request for their page, unless the source states
  /// otherwise (``FetchDetails/lastUpdate``). Where the first page has a cursor, the next update gets that
  /// one back, and not the last page's.
  case fullPage([String: ListMember<Value>], next: String, cursor: String? = nil)
  /// A page of the changes since the cursor that was sent; of the whole list where none was. The source is
  /// asked for the next one with this token, or cursor, as ``PreviousList/page``. A cursor counts as that of
  /// ``fullPage(_:next:cursor:)``.
  case deltaPage(
    [String: ListMember<Value>], removals: [String], next: String, cursor: String? = nil)
  /// Nothing has changed since the cursor, or the validators, that were sent: all members are renewed. A
  /// failure where the whole list was asked for (``PreviousList/wantsWhole``).
  case notModified
  /// The source no longer knows the page, or the cursor: it is asked again, without it.
  case expiredCursor
}

extension SourceListChange: Equatable where Value: Equatable {}
