/// Characters that a terminal, or whoever reads a text by lines, obeys instead of showing them: those of escape
/// sequences in one byte (C0) and in two (C1), line and paragraph separators, and those that change the direction
/// of writing.
package enum ObeyedCharacters {
  /// True for one of them; line breaks and tabs are among them.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar {
    // They only join letters and pictures.
    case "\u{200C}", "\u{200D}": return false
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return true
      default: return false
      }
    }
  }
}
