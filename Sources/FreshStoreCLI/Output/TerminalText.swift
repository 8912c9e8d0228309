#if CommandLine
  internal import FreshStore

  /// Text from outside for a terminal, which obeys some characters instead of showing them
  /// (``ObeyedCharacters``).
  enum TerminalText {
    /// The text with such characters written as their numbers, such as `\\u{1B}`; line breaks and tabs
    /// stay.
    static func harmless(_ text: String) -> String {
      var shown = ""
      let scalars = text.unicodeScalars
      for index in scalars.indices {
        let scalar = scalars[index]
        let next = scalars.index(after: index)
        let endsLine = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
        if endsLine || !isObeyed(scalar) {
          shown.unicodeScalars.append(scalar)
        } else {
          shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
      return shown
    }

    /// A value for a terminal; bytes that are no text are shown as U+FFFD.
    static func harmless(_ value: [UInt8]) -> [UInt8] {
      Array(harmless(String(decoding: value, as: UTF8.self)).utf8)
    }

    /// JSON text of the same meaning, with such characters escaped. Outside of its strings it has
    /// none.
    static func escaped(json: String) -> String {
      guard json.unicodeScalars.contains(where: isEscaped) else { return json }
      var escaped = ""
      for scalar in json.unicodeScalars {
        guard isEscaped(scalar) else {
          escaped.unicodeScalars.append(scalar)
          continue
        }
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
      return escaped
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value >= 0x7F && isObeyed(scalar)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n", "\t": false
      default: ObeyedCharacters.contains(scalar)
      }
    }
  }
#endif
