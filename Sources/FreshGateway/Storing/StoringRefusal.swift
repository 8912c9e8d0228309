/// Why an answer is not kept.
enum StoringRefusal: String, Error, Sendable, Hashable {
  /// The request is of a method whose answers are not kept, or has content.
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
}
