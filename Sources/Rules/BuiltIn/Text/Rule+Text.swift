extension Rule where Value == String {
  /// Kept by a text that is not empty.
  public static var notEmpty: Rule { Rule(code: "empty") { !$0.isEmpty } }

  /// Kept by the empty text.
  public static var empty: Rule { Rule(code: "not-empty", \.isEmpty) }

  /// Kept by a text with a visible character in it.
  public static var notBlank: Rule { notBlank(.invisible) }

  /// Kept by a text without visible characters, the empty one included.
  public static var blank: Rule { blank(.invisible) }

  /// Kept by a text with a character other than these blanks.
  public static func notBlank(_ blanks: Blanks) -> Rule {
    Rule(code: "blank") { !blanks.make(up: $0) }
  }

  /// Kept by a text of these blanks alone, or an empty one.
  public static func blank(_ blanks: Blanks) -> Rule {
    Rule(code: "not-blank") { blanks.make(up: $0) }
  }

  /// Kept by a text of one line: without the line breaks of Unicode, CR LF among them.
  public static var singleLine: Rule {
    Rule(code: "several-lines") { text in
      !text.unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
      }
    }
  }

  /// Kept by a text without deceptive characters: no control characters except tab and line breaks,
  /// none without width or that change the direction of writing. Joiners are refused too, so it
  /// does not suit texts with emoji families or scripts that need joiners.
  public static var noHiddenCharacters: Rule {
    Rule(code: "hidden-character") { text in
      text.unicodeScalars.allSatisfy { scalar in
        scalar.isVisible || scalar.properties.isWhitespace
      }
    }
  }

  /// Kept by a text in which another occurs, compared as readers do (é is é however composed).
  public static func contains(_ part: String) -> Rule {
    Rule(code: "does-not-contain", parameters: ["part": .text(part)]) { $0.contains(part) }
  }

  /// Kept by a text that begins with another.
  public static func hasPrefix(_ prefix: String) -> Rule {
    Rule(code: "wrong-beginning", parameters: ["prefix": .text(prefix)]) { $0.hasPrefix(prefix) }
  }

  /// Kept by a text that ends with another.
  public static func hasSuffix(_ suffix: String) -> Rule {
    Rule(code: "wrong-end", parameters: ["suffix": .text(suffix)]) { $0.hasSuffix(suffix) }
  }
}
