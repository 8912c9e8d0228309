import Synchronization

/// A regular expression of Swift's own, which is not sendable: one thread at a time uses it.
final class RegexBox<Output>: Sendable {
  private let regex: Mutex<Regex<Output>>

  init(_ regex: sending Regex<Output>) {
    self.regex = Mutex(regex)
  }

  /// True when there is a match; an error thrown by a custom component counts as none.
  func matches(_ text: String, _ extent: PatternExtent) -> Bool {
    let isMatched = try? regex.withLock { regex in
      switch extent {
      case .whole: try regex.wholeMatch(in: text) != nil
      case .search: try regex.firstMatch(in: text) != nil
      case .prefix: try regex.prefixMatch(in: text) != nil
      }
    }
    // A component's own error means that it rejects this text.
    return isMatched ?? false
  }
}
