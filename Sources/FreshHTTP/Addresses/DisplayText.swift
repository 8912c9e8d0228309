/// Text from outside, made safe for one line of a message or a terminal.
enum DisplayText {
  /// Control characters become a space each, runs of spaces one; past the limit the text is cut
  /// with an ellipsis. Bidirectional controls count as control characters.
  static func clean(_ text: some StringProtocol, limit: Int) -> String {
    var cleaned = ""
    var count = 0
    var lastIsSpace = false
    for scalar in text.unicodeScalars {
      let isSpace = isControl(scalar) || scalar == " "
      if isSpace && lastIsSpace { continue }
      guard count < limit else { return cleaned + "…" }
      cleaned.unicodeScalars.append(isSpace ? " " : scalar)
      lastIsSpace = isSpace
      count += 1
    }
    return cleaned
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
