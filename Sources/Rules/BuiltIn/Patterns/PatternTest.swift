/// The characters that one place of a pattern accepts.
struct PatternTest: Sendable, Hashable {
  /// A part of a set of characters.
  enum Item: Sendable, Hashable {
    case one(Character)
    case range(ClosedRange<Unicode.Scalar>)
    case digit(Bool)
    case word(Bool)
    case space(Bool)
    case category(String, Bool)

    fileprivate func contains(_ character: Character) -> Bool {
      switch self {
      case .one(let other): character == other
      case .range(let range): character.onlyScalar.map(range.contains) ?? false
      case .digit(let isWanted): (character.onlyScalar?.isASCIIDigit ?? false) == isWanted
      case .word(let isWanted): character.isPatternWord == isWanted
      case .space(let isWanted): character.isWhitespace == isWanted
      case .category(let name, let isWanted):
        character.generalCategory.hasPrefix(name) == isWanted
      }
    }
  }

  private(set) var items: [Item] = []
  private let isNegated: Bool
  /// The ASCII characters that the items accept, one bit each. Most characters of most texts then need no look at
  /// the items.
  private var lowASCII: UInt64 = 0
  private var highASCII: UInt64 = 0

  init(items: [Item] = [], isNegated: Bool = false) {
    self.isNegated = isNegated
    for item in items { add(item) }
  }

  mutating func add(_ item: Item) {
    items.append(item)
    for byte in UInt8.min..<0x80 where item.contains(Character(Unicode.Scalar(byte))) {
      if byte < 64 { lowASCII |= 1 << byte } else { highASCII |= 1 << (byte - 64) }
    }
  }

  func accepts(_ character: Character, _ letters: LetterCase) -> Bool {
    let bytes = character.utf8
    guard bytes.count == 1, let byte = bytes.first else {
      return contains(character, letters) != isNegated
    }
    // The two cases of a letter differ only in this bit.
    let isLetter = letters == .insensitive && (0x61...0x7A).contains(byte | 0x20)
    return (takes(byte) || isLetter && takes(byte ^ 0x20)) != isNegated
  }

  private func takes(_ byte: UInt8) -> Bool {
    byte < 64 ? lowASCII & 1 << byte != 0 : highASCII & 1 << (byte - 64) != 0
  }

  private func contains(_ character: Character, _ letters: LetterCase) -> Bool {
    if items.contains(where: { $0.contains(character) }) { return true }
    guard letters == .insensitive else { return false }
    let forms = [character.lowercased(), character.uppercased()]
    return forms.contains { form in
      form.count == 1 && items.contains { $0.contains(Character(form)) }
    }
  }
}

extension Character {
  /// Its scalar, if there is only one.
  var onlyScalar: Unicode.Scalar? {
    unicodeScalars.dropFirst().isEmpty ? unicodeScalars.first : nil
  }

  /// True for ASCII letters, digits and the underscore.
  var isPatternWord: Bool { onlyScalar.map { $0.isASCIILetterOrDigit || $0 == "_" } ?? false }

  /// The category of its first scalar, by the two letters of the Unicode Standard.
  fileprivate var generalCategory: String {
    switch unicodeScalars.first?.properties.generalCategory {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    default: "Cn"
    }
  }

  /// The names that a pattern may give to general categories.
  static let generalCategories: Set<String> = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C",
    "Cc", "Cf", "Cs", "Co", "Cn",
  ]
}
