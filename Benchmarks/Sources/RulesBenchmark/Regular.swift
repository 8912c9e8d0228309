internal import Synchronization

/// A regular expression of Swift's own, which is not sendable.
final class Regular: Sendable {
  private let regex: Mutex<Regex<AnyRegexOutput>>

  init(_ pattern: String) throws {
    regex = Mutex(try Regex(pattern))
  }

  @Sendable func matches(_ text: String) -> Bool {
    // No match, and the error of a custom component, of which there is none, are the same.
    regex.withLock { (try? $0.wholeMatch(in: text)) != nil }
  }
}
