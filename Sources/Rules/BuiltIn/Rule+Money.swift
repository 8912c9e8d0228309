extension Rule where Value == String {
  /// Accepts the number of a payment card of one of the types, of a length that the type has, with the right check
  /// digit. Does not check that the card exists.
  ///
  /// - Parameter separators: One space or hyphen is allowed between any two digits.
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

  /// Accepts a text of two digits or more, of any issuer, that ends with the right check digit of Luhn's sum.
  public static func luhn(separators: Bool = false) -> Rule {
    Rule(code: "wrong-check-digit") { text in
      guard let number = CardNumber(text, separators: separators) else { return false }
      return number.count > 1 && number.keepsLuhn
    }
  }

  /// Accepts an International Bank Account Number (ISO 13616): upper-case, of the length that its
  /// country has, with the right check digits.
  ///
  /// - Parameter spaces: Single spaces are allowed between characters, as in print.
  public static func iban(spaces: Bool = false) -> Rule {
    Rule(code: "not-an-iban") { IBAN.accepts($0, spaces: spaces) }
  }
}

/// The issuers of payment cards whose numbers this module knows.
public enum CardType: String, Sendable, Hashable, Codable, CaseIterable {
  /// American Express: 34 and 37; 15 digits.
  case americanExpress
  /// Mastercard: 51 to 55, 2221 to 2720; 16 digits.
  case mastercard
  /// Visa: 4; 13, 16 or 19 digits.
  case visa
  /// Maestro: 50, 56 to 58, 6304, 6390, 67; 12 to 19 digits.
  case maestro
  /// Diners Club: 300 to 305, 3095, 36, 38, 39; 14 to 19 digits.
  case dinersClub
  /// JCB: 3528 to 3589 with 16 to 19 digits, 1800 and 2131 with 15.
  case jcb
  /// Discover: 6011, 644 to 649, 65; 16 to 19 digits.
  case discover
  /// UnionPay: 62 and 81; 16 to 19 digits.
  case unionPay

  /// The type that a number's first digits identify; `nil` when there is none. Ignores spaces and hyphens between
  /// digits. Checks neither the length nor the check digit.
  public init?(number: String) {
    guard let number = CardNumber(number, separators: true), let type = number.type else {
      return nil
    }
    self = type
  }

  /// The type of a number that begins with these six digits; shorter numbers are padded with zeros.
  init?(prefix: Int) {
    switch prefix {
    case 340_000...349_999, 370_000...379_999: self = .americanExpress
    case 510_000...559_999, 222_100...272_099: self = .mastercard
    case 400_000...499_999: self = .visa
    case 500_000...509_999, 560_000...589_999, 630_400...630_499, 639_000...639_099,
      670_000...679_999:
      self = .maestro
    case 300_000...305_999, 309_500...309_599, 360_000...369_999, 380_000...399_999:
      self = .dinersClub
    case 352_800...358_999, 180_000...180_099, 213_100...213_199: self = .jcb
    case 601_100...601_199, 644_000...659_999: self = .discover
    case 620_000...629_999, 810_000...819_999: self = .unionPay
    default: return nil
    }
  }

  /// True when numbers of this type with this prefix may have so many digits.
  func allows(_ count: Int, prefix: Int) -> Bool {
    switch self {
    case .americanExpress: count == 15
    case .mastercard: count == 16
    case .visa: count == 13 || count == 16 || count == 19
    case .maestro: 12...19 ~= count
    case .dinersClub: 14...19 ~= count
    case .jcb: prefix < 300_000 ? count == 15 : 16...19 ~= count
    case .discover, .unionPay: 16...19 ~= count
    }
  }
}

/// The facts read from a payment card's number.
struct CardNumber {
  /// The number of its digits.
  let count: Int
  /// Its first six digits as a number, padded with zeros when there are fewer.
  let prefix: Int
  /// True when its check digit is right (ISO/IEC 7812-1, annex B).
  let keepsLuhn: Bool

  /// Reads ASCII digits, with at most one space or hyphen between two digits if `separators`; `nil` for any other
  /// text.
  init?(_ text: String, separators: Bool) {
    var cursor = TextCursor(text)
    var (prefix, seen) = (0, 0)
    // The number of digits decides which ones are doubled, so both sums are kept.
    var (sum, otherSum) = (0, 0)
    let count = cursor.takeDigits(separatedBy: separators ? " -" : "") { digit in
      if seen < 6 {
        prefix = prefix * 10 + digit
        seen += 1
      }
      let doubled = digit < 5 ? digit * 2 : digit * 2 - 9
      (sum, otherSum) = ((otherSum + digit) % 10, (sum + doubled) % 10)
    }
    guard cursor.isAtEnd, count > 0 else { return nil }
    while seen < 6 {
      prefix *= 10
      seen += 1
    }
    self.count = count
    self.prefix = prefix
    keepsLuhn = sum == 0
  }

  var type: CardType? { CardType(prefix: prefix) }
}

/// International Bank Account Numbers (ISO 13616-1).
enum IBAN {
  /// The lengths by country, from the SWIFT registry of IBAN formats.
  private static let lengths: [String: Int] = [
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27,
    "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27,
    "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
    "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
    "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22,
    "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
    "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28,
    "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
  ]

  static func accepts(_ text: String, spaces: Bool) -> Bool {
    var cursor = TextCursor(text)
    var (head, country) = (0, "")
    var (remainder, count) = (0, 0)
    while let scalar = cursor.next {
      cursor.advance()
      guard scalar.isASCIIUppercase || scalar.isASCIIDigit else { return false }
      if count < 2 {
        guard scalar.isASCIIUppercase else { return false }
        country.unicodeScalars.append(scalar)
      } else if count < 4, !scalar.isASCIIDigit {
        return false
      }
      if count < 4 {
        head = append(scalar, to: head)
      } else {
        remainder = append(scalar, to: remainder)
      }
      count += 1
      if spaces, cursor.take(" "), cursor.isAtEnd { return false }
    }
    // The first four characters go to the end before the remainder is taken (ISO 7064, MOD 97-10). They are two
    // letters, of two digits each, and two digits.
    return lengths[country] == count && (remainder * 1_000_000 + head) % 97 == 1
  }

  /// Letters count as two digits, from A = 10 to Z = 35.
  private static func append(_ scalar: Unicode.Scalar, to number: Int) -> Int {
    scalar.isASCIIDigit
      ? (number * 10 + scalar.digitValue) % 97 : (number * 100 + Int(scalar.value) - 55) % 97
  }
}
