/// The header fields of one message: the lines in their order. Names compare without regard to case (RFC 9110
/// section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field line.
  package struct Line: Sendable, Hashable {
    /// The name as it was written.
    package let name: String
    /// The value without the white space at both ends (RFC 9110 section 5.5).
    package let value: String

    /// Creates a line; trims the white space around the value.
    package init(name: String, value: String) {
      self.name = name
      self.value = FieldSyntax.trimmed(value)
    }
  }

  /// Every line, in order.
  package private(set) var lines: [Line] = []

  /// No fields.
  public init() {}

  /// Creates fields from lines.
  package init(_ lines: some Sequence<Line>) {
    self.lines = Array(lines)
  }

  /// Creates fields from names and values; a name may occur more than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Line(name: $0.0, value: $0.1) })
  }

  /// The value of the first line of that name: for fields that may occur only once.
  package func first(_ name: String) -> String? {
    lines.first { FieldSyntax.equalIgnoringCase($0.name, name) }?.value
  }

  /// Every value of that name as one list, joined by a comma and a space (RFC 9110 section 5.3);
  /// `nil` when there is no such line.
  package func combined(_ name: String) -> String? {
    var combined: String?
    for line in lines where FieldSyntax.equalIgnoringCase(line.name, name) {
      if combined == nil {
        combined = line.value
      } else {
        combined?.append(", \(line.value)")
      }
    }
    return combined
  }

  /// Every value of that name, joined by a comma and a space (RFC 9110 section 5.3); `nil` when there
  /// is no such line.
  public subscript(name: String) -> String? { combined(name) }

  /// The lines with other names than these, which are in lower case.
  package func removing(_ names: Set<String>) -> HeaderFields {
    HeaderFields(lines.filter { !names.contains(FieldSyntax.lowercased($0.name)) })
  }

  /// Every value of that name, line by line.
  package func values(_ name: String) -> [String] {
    lines.compactMap { FieldSyntax.equalIgnoringCase($0.name, name) ? $0.value : nil }
  }

  /// Adds a line at the end.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Line(name: name, value: value))
  }

  /// Replaces every line whose name is among the others' by theirs.
  mutating func replace(by others: HeaderFields) {
    for line in others.lines { set(line.name, nil) }
    lines += others.lines
  }

  /// Replaces all lines of that name by one; `nil` only removes them.
  public mutating func set(_ name: String, _ value: String?) {
    lines.removeAll { FieldSyntax.equalIgnoringCase($0.name, name) }
    if let value {
      append(name, value)
    }
  }
}

/// The fields of a request that writes.
extension HeaderFields {
  /// Sets the media type of a body. Throws `badConfiguration` for a text that is no media type.
  mutating func setMediaType(_ mediaType: String) throws(HTTPFetchError) {
    guard FieldSyntax.isMediaType(mediaType) else {
      throw .badConfiguration(
        "'\(DisplayText.clean(mediaType, limit: 40))' is no media type; state a type and a subtype, such as "
          + "text/plain")
    }
    set("Content-Type", mediaType)
  }

  /// Sets the idempotency key, a string of RFC 8941 section 3.3.3. Throws `badConfiguration` for a key that
  /// such a string would have to escape, or cannot hold.
  mutating func setIdempotencyKey(_ key: String) throws(HTTPFetchError) {
    guard !key.isEmpty,
      key.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && !"\"\\".utf8.contains($0) })
    else {
      throw .badConfiguration(
        "an idempotency key must be printable ASCII without quotes and backslashes, such as a UUID")
    }
    set("Idempotency-Key", "\"\(key)\"")
  }
}

/// Field values as text that loses no byte (RFC 9110 section 5.5: bytes above 127 are opaque).
///
/// UTF-8 reads as itself. Each byte that is no part of a character becomes one character of the last private
/// plane: U+10FF80 for the byte 80 to U+10FFFF for the byte FF. It is written as that byte again.
///
/// Some characters would be read back as something else: those of that plane, and U+FFFD, which elsewhere
/// stands for bytes that a library has lost. They are encoded byte by byte, too.
package enum FieldText {
  /// The text of bytes. The cost is a look at each byte, and more only for bytes that are not plain UTF-8.
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

  /// The text of a library's text. A text in which the library has lost bytes stays unchanged.
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

  /// True for a text with bytes that are no character. Only HTTP/1 can carry such a text, and no terminal shows it.
  package static func isOpaque(_ text: some StringProtocol) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The text with U+FFFD for each such byte.
  package static func replacingBytes(_ text: String) -> String {
    guard isOpaque(text) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
  }

  /// True for the first byte of a character that may not stand for itself.
  private static func isSuspect(_ byte: UInt8) -> Bool { byte == 0xF4 || byte == 0xEF }

  private static func standIn(for byte: UInt8) -> UnicodeScalar {
    // The range has no surrogates.
    UnicodeScalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}"
  }

  private static func byte(of scalar: UnicodeScalar) -> UInt8? {
    scalar.value >= 0x10FF80 ? UInt8(scalar.value - 0x10FF00) : nil
  }
}

/// An entity tag (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable {
  /// The text between the quotes.
  package let opaque: String
  /// True for `W/"…"`: a tag of the same meaning, not necessarily of the same bytes.
  package let isWeak: Bool

  /// Reads `"…"` or `W/"…"`; `nil` for anything else. The `W` must be in upper case.
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

  /// True for equal tags that are both strong (RFC 9110 section 8.8.3.2).
  package func stronglyEquals(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && weaklyEquals(other)
  }

  /// True for equal tags, weak or strong (RFC 9110 section 8.8.3.2): the comparison of `If-None-Match`.
  package func weaklyEquals(_ other: EntityTag) -> Bool {
    opaque.utf8.elementsEqual(other.opaque.utf8)
  }
}
