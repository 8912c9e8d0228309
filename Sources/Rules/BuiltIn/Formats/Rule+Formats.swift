extension Rule where Value == String {
  /// Kept by a text that tells a day or a time in this form.
  public static func time(_ form: TimeForm) -> Rule {
    Rule(code: "not-a-time", parameters: ["form": .text(form.rawValue)], form.accepts)
  }

  /// Kept by a postal code of the country, in its usual spelling, upper-case; whether it was given
  /// out is not looked up.
  public static func postalCode(_ country: PostalCountry) -> Rule {
    Rule(code: "not-a-postal-code", parameters: ["country": .text(country.rawValue)]) {
      country.accepts($0)
    }
  }
}
