#if CommandLine
  internal import ArgumentParser
  internal import Strategies

  /// Durations as people write them: whole numbers with units, the largest first, or a number of seconds.
  enum DurationText {
    private static let forms = "500ms, 30s, 5m, 1h30m, 7d, 1w, or 90 for seconds"

    /// An expiry: a duration, or `never`.
    static func expiry(_ text: String) throws -> Expiry {
      if text == "never" { return .never }
      let duration = try parse(
        text, forms: "500ms, 30s, 5m, 1h30m, 7d, 1w, 90 for seconds, or never")
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
      var rest = text[...]
      var total: Int64 = 0
      var last = Int64.max
      repeat {
        // A digit with an accent sorts between two digits.
        let digits = rest.prefix { $0.isASCII && ("0"..."9").contains($0) }
        guard !digits.isEmpty else {
          throw ValidationError("a duration is a number and a unit; write it like \(forms)")
        }
        let unit = rest[digits.endIndex...].prefix { !$0.isNumber }
        // A number without a unit is in seconds.
        let isAlone = digits.count == text.count
        guard let milliseconds = isAlone ? 1000 : units[unit] else {
          if unit == "." || unit == "," {
            throw ValidationError("it has a fraction; write whole numbers, like \(forms)")
          }
          throw ValidationError(
            unit.isEmpty
              ? "its last number has no unit; write it like \(forms)"
              : "'\(Console.printable(String(unit)))' is not a unit; write it like \(forms)")
        }
        guard milliseconds < last else {
          throw ValidationError("its units are not in order; write it like \(forms)")
        }
        let (product, overflow) = (Int64(digits) ?? .max).multipliedReportingOverflow(
          by: milliseconds)
        guard !overflow, product <= longest - total else {
          throw ValidationError("it is too long; the longest is 31000 years, or write never")
        }
        total += product
        last = milliseconds
        rest = rest[unit.endIndex...]
      } while !rest.isEmpty
      return .milliseconds(total)
    }

    private static let units: [Substring: Int64] = [
      "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]
    /// The longest span that a store keeps.
    private static let longest: Int64 = 1_000_000_000_000_000
  }

  /// Sizes as people write them: a whole number of bytes, KiB, MiB, GiB or TiB.
  enum SizeText {
    static func parse(_ text: String) throws -> Int {
      let digits = text.prefix { ("0"..."9").contains($0) }
      // Characters compare by Unicode. The kelvin sign is a K, and a digit with an accent sorts between two digits.
      guard text.utf8.allSatisfy({ $0 < 0x80 }), !digits.isEmpty,
        let factor = units[text[digits.endIndex...].lowercased()]
      else {
        throw ValidationError("a size is a number of bytes; write it like 512, 10k, 5M or 1G")
      }
      let product = Int(digits).map { $0.multipliedReportingOverflow(by: factor) }
      guard let product, !product.overflow else {
        throw ValidationError("it is too large; write it like 512, 10k, 5M or 1G")
      }
      return product.partialValue
    }

    /// The size of a value: at least one byte, at most the limit of a store.
    static func valueSize(_ text: String) throws -> Int {
      let size = try parse(text)
      guard (1...largestValue).contains(size) else {
        throw ValidationError("the size of a value is limited to 1 byte at least and 1G at most")
      }
      return size
    }

    private static let largestValue = 1 << 30
    private static let units = ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
  }
#endif
