/// An entity tag (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable {
  /// The text between the quotes.
  package let opaque: String
  /// True for `W/"…"`: the same meaning, not necessarily the same bytes.
  package let isWeak: Bool

  /// Reads `"…"` or `W/"…"`; `nil` for anything else. The mark of weakness is an upper-case W.
  package init?(_ text: String) {
    let trimmed = FieldSyntax.trimmed(text)
    isWeak = trimmed.hasPrefix("W/")
    let quoted = isWeak ? trimmed.dropFirst(2) : trimmed[...]
    guard quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else {
      return nil
    }
    let content = quoted.dropFirst().dropLast()
    guard content.utf8.allSatisfy({ $0 > 0x20 && $0 != FieldSyntax.quote && $0 != 0x7F }) else {
      return nil
    }
    opaque = String(content)
  }

  /// Equal and both strong (RFC 9110 section 8.8.3.2).
  package func stronglyEquals(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && weaklyEquals(other)
  }

  /// Equal, weak or not (RFC 9110 section 8.8.3.2): the comparison of `If-None-Match`.
  package func weaklyEquals(_ other: EntityTag) -> Bool {
    opaque.utf8.elementsEqual(other.opaque.utf8)
  }
}
