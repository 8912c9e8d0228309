/// The decision of a strategy, or a whole chain, on an object.
public enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
  /// The object may be served.
  case valid
  /// The object must be fetched again.
  case invalid
  /// The strategy cannot decide; the next one is asked.
  case unknown

  /// True for ``valid`` and ``invalid``.
  public var isDecided: Bool { self != .unknown }
}
