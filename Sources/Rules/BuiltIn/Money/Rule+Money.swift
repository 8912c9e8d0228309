extension Rule where Value == String {
  /// Kept by a payment card's number: of one of the types, of a length that the type has, with the
  /// right check digit. Does not check that the card exists.
  ///
  /// - Parameter separators: One space or hyphen may stand between any two digits.
  public static func paymentCard(
    _ types: Set<CardType> = Set(CardType.allCases), separators: Bool = false
  ) -> Rule {
    let names = types.map(\.rawValue).sorted().map(Parameter.text)
    return Rule(code: "not-a-card-number", parameters: ["types": .list(names)]) { text in
      guard let number = CardNumber(text, separators: separators), let type = number.type else {
        return false
      }
      return types.contains(type) && type.allows(number.count, prefix: number.prefix)
        && number.keepsLuhn
    }
  }

  /// Kept by a text of two digits or more that ends with the right check digit by Luhn's sum, of
  /// any issuer.
  public static func luhn(separators: Bool = false) -> Rule {
    Rule(code: "wrong-check-digit") { text in
      guard let number = CardNumber(text, separators: separators) else { return false }
      return number.count > 1 && number.keepsLuhn
    }
  }

  /// Kept by an International Bank Account Number (ISO 13616): upper-case, of the length that its
  /// country has, with the right check digits.
  ///
  /// - Parameter spaces: Single spaces may stand between characters, as it is printed.
  public static func iban(spaces: Bool = false) -> Rule {
    Rule(code: "not-an-iban") { IBAN.accepts($0, spaces: spaces) }
  }
}
