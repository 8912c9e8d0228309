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

  /// The type that a number's first digits identify, however many follow; `nil` when there is none.
  /// Ignores spaces and hyphens between digits. Does not check length and check digit.
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

  /// True when numbers of this type that begin so may have that many digits.
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
