#if CommandLine
  internal import ArgumentParser
  internal import Strategies

  /// Durations as people write them: a whole number and a unit.
  enum DurationText {
    private static let forms = "500ms, 30s, 5m, 2h, 7d, 1w or 0"

    /// An expiry: a duration, or `never`.
    static func expiry(_ text: String) throws -> Expiry {
      if text == "never" { return .never }
      let duration = try parse(text, forms: "500ms, 30s, 5m, 2h, 7d, 1w, 0 or never")
      return duration == .zero ? .immediately : .after(duration)
    }

    /// A span, which may be zero.
    static func span(_ text: String) throws -> Duration {
      try parse(text, forms: forms)
    }

    /// A span that is longer than zero.
    static func positive(_ text: String) throws -> Duration {
      let duration = try parse(text, forms: forms)
      guard duration > .zero else {
        throw ValidationError("it must be longer than zero; write it like 500ms, 30s or 5m")
      }
      return duration
    }

    private static func parse(_ text: String, forms: String) throws -> Duration {
      if text == "0" { return .zero }
      // A digit with an accent sorts between two digits.
      let digits = text.prefix { $0.isASCII && ("0"..."9").contains($0) }
      let unit = text[digits.endIndex...]
      guard !digits.isEmpty else {
        throw ValidationError("a duration is a whole number and a unit; write it like \(forms)")
      }
      guard let milliseconds = units[unit] else {
        throw ValidationError(
          unit.isEmpty
            ? "it has no unit; write it like \(forms)"
            : "'\(Console.printable(String(unit)))' is not a unit; write it like \(forms)")
      }
      let (product, overflow) = (Int64(digits) ?? .max).multipliedReportingOverflow(
        by: milliseconds)
      guard !overflow, product <= longest else {
        throw ValidationError("it is too long; the longest is 31000 years, or write never")
      }
      return .milliseconds(product)
    }

    private static let units: [Substring: Int64] = [
      "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]
    /// The longest span a store keeps.
    private static let longest: Int64 = 1_000_000_000_000_000
  }
#endif
