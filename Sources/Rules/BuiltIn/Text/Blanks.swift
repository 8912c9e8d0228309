/// The characters that count as blank.
public enum Blanks: String, Sendable, Hashable, Codable, CaseIterable {
  /// Invisible characters: white space, line breaks, control characters, and characters without
  /// width, such as the zero-width space.
  case invisible
  /// White space within a line: spaces of every width and tabs. A line break counts as content.
  case horizontal

  /// True when the text has no other characters.
  func make(up text: String) -> Bool {
    text.unicodeScalars.allSatisfy { includes($0) }
  }

  private func includes(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .horizontal: scalar.isHorizontalWhitespace
    case .invisible: !scalar.isVisible && !scalar.isUnknown
    }
  }
}

extension Unicode.Scalar {
  /// True for private and unassigned scalars: they may be visible.
  fileprivate var isUnknown: Bool {
    guard !isASCII else { return false }
    return switch properties.generalCategory {
    case .privateUse: true
    case .unassigned: !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }
}
