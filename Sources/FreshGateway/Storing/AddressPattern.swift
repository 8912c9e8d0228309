/// A pattern of addresses: a path, or a whole address, in which each `*` matches any characters.
///
/// One address has many spellings, and each origin decides what a path means: most read `/static/..%2fprivate` as
/// `/private`, and some do not. So an address fits only where it fits both as written and as origins decode it
/// (``Spelling/decoded``).
package struct AddressPattern: Sendable, Hashable {
  /// The spelling of a path.
  package enum Spelling: CaseIterable, Sendable {
    case written
    /// With percent-encoded bytes decoded, backslashes and repeated slashes read as one slash, and dot segments
    /// resolved, including those with parameters (`..;a`).
    case decoded
  }

  private let isPath: Bool
  private let hasQuery: Bool
  private let written: [Element]
  private let decoded: [Element]

  private enum Element: Hashable {
    case byte(UInt8)
    case star
  }

  package init?(_ text: String) {
    isPath = text.hasPrefix("/")
    guard isPath || text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
    let parts = AddressParts(text)
    hasQuery = parts.query != nil
    let star = UInt8(ascii: "*")
    written = (parts.origin + parts.path + (parts.query ?? [])).map {
      $0 == star ? .star : .byte($0)
    }
    // An encoded star in the pattern matches only a star.
    let path = parts.path.split(separator: star, omittingEmptySubsequences: false).map {
      AddressParts.decoded($0).map { Element.byte($0) }
    }
    let others = { (bytes: [UInt8]) in bytes.map { $0 == star ? Element.star : .byte($0) } }
    decoded =
      others(parts.origin) + Array(path.joined(separator: [.star])) + others(parts.query ?? [])
  }

  /// True for an address that fits in both spellings. A path without a query fits any query.
  func fits(_ address: String) -> Bool {
    fits(address, as: .written) && (AddressParts.isPlain(address) || fits(address, as: .decoded))
  }

  /// True where the address fits in this spelling. A rule that must hold for every spelling checks each.
  package func fits(_ address: String, as spelling: Spelling) -> Bool {
    let parts = AddressParts(address)
    let path = spelling == .written ? parts.path : parts.decodedPath
    let origin = isPath ? [] : parts.origin
    let query = isPath && !hasQuery ? [] : parts.query ?? []
    return Self.fits(origin + path + query, spelling == .written ? written : decoded)
  }

  private static func fits(_ text: [UInt8], _ pattern: [Element]) -> Bool {
    var (place, at) = (0, 0)
    // The last star, and how much text it matches.
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == .star {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == .byte(text[place]) {
        (place, at) = (place + 1, at + 1)
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (place, at) = (last.text + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == .star }
  }
}

/// The parts of an address: scheme and authority, the path, and the query with its question mark.
private struct AddressParts {
  let origin: [UInt8]
  let path: [UInt8]
  let query: [UInt8]?

  init(_ address: String) {
    let bytes = Array(address.utf8)
    let slash = UInt8(ascii: "/")
    var start = 0
    if bytes.first != slash {
      let scheme = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      start = bytes[scheme...].dropFirst(3).firstIndex(of: slash) ?? bytes.endIndex
    }
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
    origin = Array(bytes[..<start])
    path = Array(bytes[start..<(end ?? bytes.endIndex)])
    query = end.map { Array(bytes[$0...]) }
  }

  /// True for an address whose path has one spelling.
  static func isPlain(_ address: String) -> Bool {
    let path = AddressParts(address).path
    return !path.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }
      && !zip(path, path.dropFirst()).contains { first, second in
        first == UInt8(ascii: "/") && (second == first || second == UInt8(ascii: "."))
      }
  }

  var decodedPath: [UInt8] {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    var segments: [ArraySlice<UInt8>] = []
    let parts = Self.decoded(path[...]).split(separator: slash, omittingEmptySubsequences: false)
    for (place, part) in parts.dropFirst().enumerated() {
      let isLast = place == parts.count - 2
      switch part.prefix(while: { $0 != UInt8(ascii: ";") }) {
      case [dot]: if isLast { segments.append([]) }
      case [dot, dot]:
        _ = segments.popLast()
        if isLast { segments.append([]) }
      default: segments.append(part)
      }
    }
    return segments.flatMap { [slash] + $0 }
  }

  /// The decoded bytes of a part of a path, with single slashes.
  static func decoded(_ path: ArraySlice<UInt8>) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var (left, decoded) = (path, [UInt8]())
    while var byte = left.popFirst() {
      let digits = left.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        byte = UInt8(digits[0] << 4 | digits[1])
        left = left.dropFirst(2)
      }
      if byte == UInt8(ascii: "\\") { byte = slash }
      if byte != slash || decoded.last != slash { decoded.append(byte) }
    }
    return decoded
  }
}
