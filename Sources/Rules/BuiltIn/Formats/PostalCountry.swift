/// The countries whose postal codes this module knows, by their ISO 3166-1 codes.
public enum PostalCountry: String, Sendable, Hashable, Codable, CaseIterable {
  /// Austria.
  case austria = "AT"
  /// Australia.
  case australia = "AU"
  /// Belgium.
  case belgium = "BE"
  /// Brazil.
  case brazil = "BR"
  /// Canada.
  case canada = "CA"
  /// Switzerland and Liechtenstein.
  case switzerland = "CH"
  /// Czechia.
  case czechia = "CZ"
  /// Germany.
  case germany = "DE"
  /// Denmark.
  case denmark = "DK"
  /// Spain.
  case spain = "ES"
  /// Finland.
  case finland = "FI"
  /// France.
  case france = "FR"
  /// The United Kingdom.
  case unitedKingdom = "GB"
  /// Ireland.
  case ireland = "IE"
  /// India.
  case india = "IN"
  /// Italy.
  case italy = "IT"
  /// Japan.
  case japan = "JP"
  /// Luxembourg.
  case luxembourg = "LU"
  /// The Netherlands.
  case netherlands = "NL"
  /// Norway.
  case norway = "NO"
  /// Poland.
  case poland = "PL"
  /// Portugal.
  case portugal = "PT"
  /// Sweden.
  case sweden = "SE"
  /// The United States.
  case unitedStates = "US"

  /// The layout of the codes. `9` is a digit, `1` a digit other than 0, `A` a letter, and `_` a space that may be
  /// left out. A lower-case letter is a set of ``set(_:)``. Every other character means itself.
  var templates: [String] {
    switch self {
    case .austria, .belgium, .luxembourg, .switzerland: ["1999"]
    case .australia, .denmark, .norway: ["9999"]
    case .finland, .france, .germany, .italy: ["99999"]
    case .spain: ["s9999"]
    case .brazil: ["99999-999", "99999999"]
    case .canada: ["c9d_9d9"]
    case .czechia, .sweden: ["199 99", "19999"]
    case .unitedKingdom:
      [
        "f9_9ii", "f99_9ii", "fg9_9ii", "fg99_9ii", "f9h_9ii", "fg9j_9ii", "GIR_0AA", "BFPO_1",
        "BFPO_19", "BFPO_199", "BFPO_1999",
      ]
    case .ireland: ["e99_eeee", "e9W_eeee"]
    case .india: ["199 999", "199999"]
    case .japan: ["999-9999"]
    case .netherlands: ["1999_AA"]
    case .poland: ["99-999"]
    case .portugal: ["1999-999"]
    case .unitedStates: ["99999", "99999-9999"]
    }
  }

  /// The characters that a lower-case letter of a template means.
  ///
  /// The letters of the United Kingdom follow BS 7666. The first letter is none of QVX, the second none of IJZ.
  /// Only a few letters may end an outward code, and the inward code has none of CIKMOV. BFPO numbers belong to the
  /// British forces. Canada has no DFIOQU, and no code begins with W or Z.
  private static func set(_ name: Unicode.Scalar) -> String? {
    switch name {
    case "c": "ABCEGHJKLMNPRSTVXY"
    case "d": "ABCEGHJKLMNPRSTVWXYZ"
    case "e": "ACDEFHKNPRTVWXY0123456789"
    case "f": "ABCDEFGHIJKLMNOPRSTUWYZ"
    case "g": "ABCDEFGHKLMNOPQRSTUVWXY"
    case "h": "ABCDEFGHJKPSTUW"
    case "i": "ABDEFGHJLNPQRSTUWXYZ"
    case "j": "ABEHMNPRVWXY"
    case "s": "012345"
    default: nil
    }
  }

  func accepts(_ text: String) -> Bool {
    templates.contains { Self.fits(text, $0) } && !isReserved(text)
  }

  private static func fits(_ text: String, _ template: String) -> Bool {
    var cursor = TextCursor(text)
    for place in template.unicodeScalars {
      if place == "_" {
        if cursor.next == " " { cursor.advance() }
        continue
      }
      guard let scalar = cursor.next else { return false }
      let fits =
        switch place {
        case "9": scalar.isASCIIDigit
        case "1": scalar.isASCIIDigit && scalar != "0"
        case "A": scalar.isASCIIUppercase
        default: set(place)?.unicodeScalars.contains(scalar) ?? (place == scalar)
        }
      guard fits else { return false }
      cursor.advance()
    }
    return cursor.isAtEnd
  }

  /// True for a well-formed code that is never assigned.
  private func isReserved(_ text: String) -> Bool {
    switch self {
    case .germany: text.hasPrefix("00")
    case .netherlands: ["SA", "SD", "SS"].contains { text.hasSuffix($0) }
    case .spain: text.hasPrefix("00")
    default: false
    }
  }
}
