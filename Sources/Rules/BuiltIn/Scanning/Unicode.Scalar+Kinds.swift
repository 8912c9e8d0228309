extension Unicode.Scalar {
  var isASCIIDigit: Bool { value &- 0x30 < 10 }
  var isASCIIUppercase: Bool { value &- 0x41 < 26 }
  var isASCIILowercase: Bool { value &- 0x61 < 26 }
  var isASCIILetter: Bool { (value | 0x20) &- 0x61 < 26 }
  var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
  var isHexadecimalDigit: Bool { isASCIIDigit || (value | 0x20) &- 0x61 < 6 }

  /// The value of an ASCII digit.
  var digitValue: Int { Int(value) - 0x30 }

  /// The lower-case form of an ASCII letter; any other scalar itself.
  var lowercasedASCII: Unicode.Scalar {
    isASCIIUppercase ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }

  /// True for a scalar with a visible mark, and for one that combines with it: no control or format
  /// character, no white space, nothing that Unicode lets a renderer ignore, nothing unassigned.
  var isVisible: Bool {
    if isASCII { return value > 0x20 && value < 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }

  /// True for a non-ASCII scalar that may stand in a label of an international domain name: a
  /// letter, a digit or a mark (the classes of RFC 5892, without its exceptions for joiners, which
  /// are invisible).
  var isInternationalLabelPart: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  var isMark: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// True for white space that does not end a line, such as a space, a tab or a no-break space.
  var isHorizontalWhitespace: Bool {
    if isASCII { return value == 0x20 || value == 0x09 }
    return properties.generalCategory == .spaceSeparator
  }
}
