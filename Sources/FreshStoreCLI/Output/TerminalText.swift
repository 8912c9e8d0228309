#if CommandLine
  internal import FreshStore

  /// Text from outside for a terminal, which executes control characters (``ControlCharacters``).
  enum TerminalText {
    /// The text with control characters as their numbers, such as `\\u{1B}`; line breaks and tabs stay.
    static func harmless(_ text: String) -> String {
      var shown = ""
      let scalars = text.unicodeScalars
      for index in scalars.indices {
        let scalar = scalars[index]
        let next = scalars.index(after: index)
        let endsLine = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
        if endsLine || !isControl(scalar) {
          shown.unicodeScalars.append(scalar)
        } else {
          shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
      return shown
    }

    /// A value for a terminal; bytes that are not UTF-8 become U+FFFD.
    static func harmless(_ value: [UInt8]) -> [UInt8] {
      Array(harmless(String(decoding: value, as: UTF8.self)).utf8)
    }

    /// JSON text of the same meaning, with control characters escaped. Only its strings can hold any.
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
      scalar.value >= 0x7F && isControl(scalar)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n", "\t": false
      default: ControlCharacters.contains(scalar)
      }
    }
  }

  /// The width of a text in columns of a terminal.
  enum TextWidth {
    static func columns(of text: some StringProtocol) -> Int {
      text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The longest beginning that fits.
    static func truncated(_ text: String, to width: Int) -> String {
      var left = width
      var end = text.unicodeScalars.startIndex
      for index in text.unicodeScalars.indices {
        left -= columns(of: text.unicodeScalars[index])
        if left < 0 { break }
        end = text.unicodeScalars.index(after: index)
      }
      return String(text.unicodeScalars[..<end])
    }

    /// The text with "…" in place of its middle, unless all of it fits.
    static func shortened(_ text: String, to width: Int) -> String {
      guard columns(of: text) > width else { return text }
      let room = max(0, width - 1)
      let scalars = text.unicodeScalars
      var left = room / 2
      var start = scalars.endIndex
      for index in scalars.indices.reversed() {
        left -= columns(of: scalars[index])
        if left < 0 { break }
        start = index
      }
      // A combining mark belongs to the character before it, which is left out.
      let end = scalars[start...].drop { columns(of: $0) == 0 }
      return truncated(text, to: room - room / 2) + "…" + String(end)
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: 0
      default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
      }
    }

    /// Wide and full-width characters (https://www.unicode.org/reports/tr11/), by blocks. A narrow character in a
    /// wide block leaves a gap at the end of a line, and never breaks it.
    private static let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
  }

  extension String {
    /// The text with spaces behind it, to fill `width` columns of a terminal.
    func padded(to width: Int) -> String {
      self + String(repeating: " ", count: max(0, width - TextWidth.columns(of: self)))
    }

    /// The text with spaces in front of it, to fill `width` columns of a terminal.
    func indented(to width: Int) -> String {
      String(repeating: " ", count: max(0, width - TextWidth.columns(of: self))) + self
    }
  }
#endif
