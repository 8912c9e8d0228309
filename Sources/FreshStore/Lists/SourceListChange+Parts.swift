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
