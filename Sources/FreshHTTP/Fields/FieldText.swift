/// Field values as text that loses no byte (RFC 9110 section 5.5: bytes above 127 are opaque).
///
/// UTF-8 reads as itself. Each byte that is not part of a character becomes one character of the last private plane,
/// U+10FF80 for the byte 80 to U+10FFFF for the byte FF, and is written as that byte again. Characters that would be
/// read back as something else are taken byte by byte, too: those of that plane, and U+FFFD, which elsewhere stands
/// for bytes that a library has lost.
package enum FieldText {
  /// The text of bytes. Costs a look at each byte, and more only where some are not plain UTF-8.
  package static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(where: isSuspect) {
      return text
    }
    var scalars = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let length = rest.prefix(4).indices.first { end in
        String(validating: rest[rest.startIndex...end], as: UTF8.self) != nil
      }
      if let length, let text = String(validating: rest[...length], as: UTF8.self),
        let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}", byte(of: scalar) == nil
      {
        scalars.append(scalar)
        rest = rest[(length + 1)...]
      } else {
        scalars.append(standIn(for: first))
        rest = rest.dropFirst()
      }
    }
    return String(scalars)
  }

  /// The text of what a library has made text of: where it has lost bytes it is left as it is.
  package static func text(ofLibrary text: String) -> String {
    text.unicodeScalars.contains("\u{FFFD}") ? text : Self.text(Array(text.utf8))
  }

  /// The bytes of a text, as they came.
  package static func bytes(_ text: some StringProtocol) -> [UInt8] {
    guard isOpaque(text) else { return Array(text.utf8) }
    return text.unicodeScalars.reduce(into: []) { bytes, scalar in
      if let byte = byte(of: scalar) {
        bytes.append(byte)
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
  }

  /// True for a text with bytes that are no character: what nothing but HTTP/1 can carry, and no terminal shows.
  package static func isOpaque(_ text: some StringProtocol) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The text with U+FFFD in the place of each such byte.
  package static func replacingBytes(_ text: String) -> String {
    guard isOpaque(text) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
  }

  /// The first byte of a character that may not stand for itself.
  private static func isSuspect(_ byte: UInt8) -> Bool { byte == 0xF4 || byte == 0xEF }

  private static func standIn(for byte: UInt8) -> UnicodeScalar {
    // The range has no surrogates.
    UnicodeScalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}"
  }

  private static func byte(of scalar: UnicodeScalar) -> UInt8? {
    scalar.value >= 0x10FF80 ? UInt8(scalar.value - 0x10FF00) : nil
  }
}
