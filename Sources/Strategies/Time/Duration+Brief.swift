extension Duration {
  /// The duration for a reader, in at most two units: `250 ms`, `4.2 s`, `3 min 20 s`, `1 h 3 min`,
  /// `2 d 4 h`.
  ///
  /// Rounds toward zero, so that a figure just below a bound is never shown as the bound.
  package var brief: String {
    let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000)
    let text = Self.brief(seconds: seconds, nanoseconds: rest / 1_000_000_000)
    return attoseconds < 0 ? "-\(text)" : text
  }

  private static func brief(seconds: UInt128, nanoseconds: UInt128) -> String {
    switch seconds {
    case 0: fraction(nanoseconds)
    case ..<60:
      nanoseconds < 100_000_000 ? "\(seconds) s" : "\(seconds).\(nanoseconds / 100_000_000) s"
    case ..<3600: pair(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: pair(seconds / 3600, "h", seconds % 3600 / 60, "min")
    default: pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
    }
  }

  private static func fraction(_ nanoseconds: UInt128) -> String {
    switch nanoseconds {
    case 0: "0 s"
    case ..<1000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(nanoseconds / 1000) µs"
    default: "\(nanoseconds / 1_000_000) ms"
    }
  }

  private static func pair(
    _ whole: UInt128, _ wholeUnit: String, _ rest: UInt128, _ restUnit: String
  ) -> String {
    rest == 0 ? "\(whole) \(wholeUnit)" : "\(whole) \(wholeUnit) \(rest) \(restUnit)"
  }
}
