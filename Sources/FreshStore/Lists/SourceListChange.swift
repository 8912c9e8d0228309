public import Strategies

/// A source's answer to a request for a list.
///
/// A source that tells changes since a cursor needs only ``delta(_:removals:cursor:)`` and
/// ``deltaPage(_:removals:next:cursor:)``. In answer to a request without a cursor (``PreviousList/wantsWhole``) they
/// are the whole list, and members that they do not mention are removed. A source that cannot tell the whole list then
/// throws an error; it does not return a part of the list.
///
/// A cursor stands for a state of the list: the answer to it tells all that has changed since, even if it has changed
/// back. That state must not be newer than the answer it comes with. For an answer in pages it must not be newer than
/// the first page: a change between two pages is on none of them. A source whose last page names a newer state passes a
/// cursor with each page, and the first page's counts. Without one, the last page's cursor is taken for the state at
/// the first page.
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

/// A source's answer about one member of a list.
///
/// State the validators of a value, where the source has some (``value(_:entityTag:)``): a local write of the
/// member is based on them. Without them it is sent without a condition (HTTP: `If-Match`), so that nobody
/// notices that the object was changed by somebody else meanwhile, and no conflict is ever met.
public enum ListMember<Value: Sendable>: Sendable {
  /// Its current value.
  case value(Value, FetchDetails)
  /// It is on the list, without news of its value: a copy stays as it is, neither renewed nor marked, and
  /// a missing one is queued for a fetch of its own. A later answer that does not mention it vouches for
  /// a copy that was fetched after this one, and for no older copy.
  case named
  /// It is on the list, and the copy here is current. The source was told its version or validators, or the program
  /// has compared them.
  ///
  /// The copy is renewed as by a fetch that finds it not modified, however old it is. A missing or damaged copy, or one
  /// of another content version, is queued.
  case unchanged
  /// It is on the list and differs from the copy, whatever that is: the copy is marked stale, a
  /// missing one is queued.
  case changed

  /// A value without further details, of a source that has no validators.
  public static func value(_ value: Value) -> ListMember { .value(value, FetchDetails()) }

  /// A value with its entity tag, as a fetch of the member would state it, quotes included (RFC 9110 section
  /// 8.8.3); `nil` for none.
  public static func value(_ value: Value, entityTag: String?) -> ListMember {
    .value(value, FetchDetails(validators: Validators(entityTag: entityTag)))
  }
}

extension ListMember: Equatable where Value: Equatable {}

/// The stored state of a list when it is requested again.
public struct PreviousList: Sendable, Hashable {
  /// The list's name.
  public let name: String
  /// The cursor of the source's last answer: the basis for requesting only changes; `nil` when the
  /// whole list is wanted.
  public let cursor: String?
  /// The token of the page to request, as the page before named it: of the changes since ``cursor``, or
  /// of the whole list without one; `nil` for the first page. A walk through pages that was interrupted
  /// goes on with it.
  public let page: String?
  /// When the list was last known to equal its source; `nil` when the whole list is wanted.
  public let lastUpdate: Timestamp?
  /// The number of its members here when the update began.
  public let count: Int

  /// True when the whole list is to be told, or a page of it, and not its changes.
  public var wantsWhole: Bool { cursor == nil && lastUpdate == nil }

  /// Creates the previous state of a list.
  public init(
    name: String, cursor: String? = nil, page: String? = nil, lastUpdate: Timestamp? = nil,
    count: Int = 0
  ) {
    self.name = name
    self.cursor = cursor
    self.page = page
    self.lastUpdate = lastUpdate
    self.count = count
  }
}

extension SourceListChange {
  /// True for the whole list or a page of it, false for changes; `nil` when it tells of no member.
  var isWhole: Bool? {
    switch self {
    case .full, .fullPage: true
    case .delta, .deltaPage: false
    case .notModified, .expiredCursor: nil
    }
  }

  /// The token of the next page; `nil` with the last one.
  var next: String? {
    switch self {
    case .fullPage(_, let next, _), .deltaPage(_, _, let next, _): next
    case .full, .delta, .notModified, .expiredCursor: nil
    }
  }

  var members: [String: ListMember<Value>] {
    switch self {
    case .full(let members, _), .fullPage(let members, _, _): members
    case .delta(let members, _, _), .deltaPage(let members, _, _, _): members
    case .notModified, .expiredCursor: [:]
    }
  }

  var removals: [String] {
    switch self {
    case .delta(_, let removals, _), .deltaPage(_, let removals, _, _): removals
    case .full, .fullPage, .notModified, .expiredCursor: []
    }
  }

  /// The cursor for the next update; `nil` when that stays as it is.
  var newCursor: String?? {
    switch self {
    case .full(_, let cursor), .delta(_, _, let cursor): .some(cursor)
    case .fullPage(_, _, let cursor), .deltaPage(_, _, _, let cursor): .some(cursor)
    case .notModified, .expiredCursor: nil
    }
  }
}
