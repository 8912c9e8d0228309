extension Rule where Value == String {
  /// Kept by a text that states a date or a time in this form.
  public static func time(_ form: TimeForm) -> Rule {
    Rule(code: "not-a-time", parameters: ["form": .text(form.rawValue)], form.accepts)
  }

  /// Kept by a UUID of any version (RFC 9562, section 4): 8-4-4-4-12 hexadecimal digits, of either
  /// case; without braces and `urn:uuid:`.
  public static var uuid: Rule {
    Rule(code: "not-a-uuid") { text in
      var cursor = TextCursor(text)
      for (place, length) in [8, 4, 4, 4, 12].enumerated() {
        guard place == 0 || cursor.take("-"),
          cursor.take(upTo: length, while: \.isHexadecimalDigit) == length
        else { return false }
      }
      return cursor.isAtEnd
    }
  }

  /// Kept by a postal code of the country, in its usual spelling, upper-case; the space of a British,
  /// Canadian, Dutch or Irish one may be left out. Whether it is assigned is not looked up.
  public static func postalCode(_ country: PostalCountry) -> Rule {
    Rule(code: "not-a-postal-code", parameters: ["country": .text(country.rawValue)]) {
      country.accepts($0)
    }
  }
}
