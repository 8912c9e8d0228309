/// Why an answer is not kept, in the words of `Cache-Status` and of the figures.
enum StoringRefusal: String, Error, Sendable, Hashable, CaseIterable {
  /// The request is of a method whose answers are not kept, or has content, or fields that decide of the answer and that
  /// no key holds.
  case request
  case status
  case requestNoStore = "request-no-store"
  case noStore = "no-store"
  case `private`
  case mustUnderstand = "must-understand"
  case authorization
  case variesByEverything = "vary"
  case notCacheable = "not-cacheable"
  case setsCookie = "set-cookie"
  case partial
  case ambiguousLength = "ambiguous-length"
  /// Somebody with cookies got it, and nothing in it says that others may have it.
  case cookie
  /// It could never be used again.
  case useless
  /// It is an error of the server, and would take the place of a copy that is none.
  case serverError = "server-error"

  // What its head allows, and something else stands against.

  /// The store takes nothing now, or no more of it.
  case notKept = "not-kept"
  /// It answers a POST, and something else was asked for or changed meanwhile.
  case overtaken
  case tooLarge = "too-large"
  /// It is a part, and too small beside those that are kept.
  case tooSmall = "too-small"
  /// It breaks the rules for its address.
  case rules
  /// There are rules for its address, and it cannot be checked.
  case unchecked
  /// Its content has not come as a whole.
  case broken
}
