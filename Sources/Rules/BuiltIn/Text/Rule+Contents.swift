extension Rule where Value == String {
  /// Kept by a text with a decimal digit of any script in it.
  public static var containsDigit: Rule {
    containing("no-digit") { $0.properties.generalCategory == .decimalNumber }
  }

  /// Kept by a text with an upper-case letter of any script in it.
  public static var containsUppercase: Rule {
    containing("no-uppercase", \.properties.isUppercase)
  }

  /// Kept by a text with a lower-case letter of any script in it.
  public static var containsLowercase: Rule {
    containing("no-lowercase", \.properties.isLowercase)
  }

  /// Kept by a text with a visible character in it that is neither letter, digit nor mark, such as
  /// punctuation or a symbol.
  public static var containsSpecialCharacter: Rule {
    containing("no-special-character") { scalar in
      switch scalar.properties.generalCategory {
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
        .modifierSymbol, .otherSymbol:
        true
      default: false
      }
    }
  }

  /// Kept by a text of ASCII letters alone, or an empty one.
  public static var onlyLetters: Rule { made(of: \.isASCIILetter, "not-only-letters") }

  /// Kept by a text of ASCII digits alone, or an empty one.
  public static var onlyDigits: Rule { made(of: \.isASCIIDigit, "not-only-digits") }

  /// Kept by a text of ASCII letters and digits alone, or an empty one.
  public static var onlyLettersAndDigits: Rule {
    made(of: \.isASCIILetterOrDigit, "not-only-letters-and-digits")
  }

  /// Kept by a text of ASCII characters alone, or an empty one.
  public static var onlyASCII: Rule { made(of: \.isASCII, "not-only-ascii") }

  private static func containing(
    _ code: String, _ belongs: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> Rule {
    Rule(code: code) { $0.unicodeScalars.contains(where: belongs) }
  }

  private static func made(
    of belongs: @escaping @Sendable (Unicode.Scalar) -> Bool, _ code: String
  ) -> Rule {
    Rule(code: code) { $0.unicodeScalars.allSatisfy(belongs) }
  }
}
