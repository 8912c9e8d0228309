/// The type of a file's contents, identified by its first bytes and not by its name.
public enum FileType: String, Sendable, Hashable, Codable, CaseIterable {
  /// A PNG image (RFC 2083, section 3.1).
  case png
  /// A JPEG image.
  case jpeg
  /// A GIF image, 87a or 89a.
  case gif
  /// A WebP image.
  case webp
  /// A TIFF image of either byte order.
  case tiff
  /// A bitmap image of Windows.
  case bmp
  /// A HEIF or AVIF image.
  case heif
  /// A PDF document.
  case pdf
  /// A ZIP archive, as office documents and packages are, too.
  case zip
  /// A gzip stream (RFC 1952, section 2.3.1).
  case gzip
  /// A bzip2 stream.
  case bzip2
  /// An xz stream.
  case xz
  /// A Zstandard frame (RFC 8878, section 3.1.1).
  case zstandard
  /// A tar archive of the POSIX kind.
  case tar
  /// A database file of SQLite 3.
  case sqlite
  /// A WAV recording.
  case wav
  /// An MP4 or QuickTime film.
  case mp4
  /// An Ogg stream.
  case ogg
  /// A program or library of Linux.
  case elf
  /// A WebAssembly module.
  case wasm
  /// An XML document that begins with its declaration.
  case xml
  /// An HTML document that begins with its doctype or its root.
  case html
  /// Bytes that begin like a JSON object or array; only a parser can confirm that they are JSON.
  case json

  /// The type that the first bytes identify; `nil` when they identify no type. Reads at most 512 bytes.
  public init?(of bytes: [UInt8]) {
    let head = bytes.prefix(512)
    guard let type = Self.binary(head) ?? Self.container(head) ?? Self.text(head) else {
      return nil
    }
    self = type
  }

  private static func binary(_ head: ArraySlice<UInt8>) -> FileType? {
    for (type, magic) in magics where head.starts(with: magic) { return type }
    return nil
  }

  private static let magics: [(FileType, [UInt8])] = [
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a".utf8)),
    (.tiff, [0x49, 0x49, 0x2A, 0x00]), (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
    (.pdf, Array("%PDF-".utf8)),
    (.zip, [0x50, 0x4B, 0x03, 0x04]), (.zip, [0x50, 0x4B, 0x05, 0x06]),
    (.gzip, [0x1F, 0x8B, 0x08]),
    (.bzip2, Array("BZh".utf8)),
    (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]),
    (.sqlite, Array("SQLite format 3\0".utf8)),
    (.ogg, Array("OggS".utf8)),
    (.elf, [0x7F, 0x45, 0x4C, 0x46]),
    (.wasm, [0x00, 0x61, 0x73, 0x6D]),
  ]

  /// Formats identified by bytes further inside.
  private static func container(_ head: ArraySlice<UInt8>) -> FileType? {
    if head.starts(with: "RIFF".utf8) {
      return switch head.dropFirst(8) {
      case let form where form.starts(with: "WEBP".utf8): .webp
      case let form where form.starts(with: "WAVE".utf8): .wav
      default: nil
      }
    }
    if head.dropFirst(4).starts(with: "ftyp".utf8) {
      let brand = head.dropFirst(8)
      let images = ["heic", "heix", "mif1", "msf1", "avif"]
      return images.contains { brand.starts(with: $0.utf8) } ? .heif : .mp4
    }
    if head.dropFirst(257).starts(with: "ustar".utf8) { return .tar }
    // A bitmap's magic is too short to decide, so its four reserved bytes must be zero.
    let isBitmap = head.starts(with: "BM".utf8) && head.dropFirst(6).starts(with: [0, 0, 0, 0])
    return isBitmap ? .bmp : nil
  }

  private static func text(_ head: ArraySlice<UInt8>) -> FileType? {
    var head = head
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    head = head.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    if begins(head, "<?xml") { return .xml }
    if begins(head, "<!doctype html") || begins(head, "<html") { return .html }
    return beginsLikeJSON(head) ? .json : nil
  }

  private static func begins(_ head: ArraySlice<UInt8>, _ word: String) -> Bool {
    head.starts(with: word.utf8) { byte, letter in
      (0x41...0x5A ~= byte ? byte | 0x20 : byte) == letter
    }
  }

  private static func beginsLikeJSON(_ head: ArraySlice<UInt8>) -> Bool {
    guard let first = head.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return false
    }
    let second = head.dropFirst().first { $0 != 0x20 && !(0x09...0x0D ~= $0) }
    guard let second else { return false }
    return first == UInt8(ascii: "{")
      ? "\"}".utf8.contains(second) : "\"]{[-0123456789tfn".utf8.contains(second)
  }
}

extension Rule where Value == [UInt8] {
  /// Accepts bytes that begin as a file of one of these types does.
  public static func fileType(_ types: Set<FileType>) -> Rule {
    let names = types.map(\.rawValue).sorted().map(Parameter.text)
    return Rule(code: "wrong-file-type", parameters: ["types": .list(names)]) { bytes in
      FileType(of: bytes).map(types.contains) ?? false
    }
  }

  /// Accepts at least so many bytes.
  public static func size(min: Int) -> Rule {
    Rule(code: "file-too-small", parameters: ["min": .integer(min)]) { $0.count >= min }
  }

  /// Accepts at most so many bytes.
  public static func size(max: Int) -> Rule {
    Rule(code: "file-too-big", parameters: ["max": .integer(max)]) { $0.count <= max }
  }

  /// Accepts a number of bytes in the range.
  public static func size(_ range: ClosedRange<Int>) -> Rule {
    .all(size(min: range.lowerBound), size(max: range.upperBound))
  }

  /// Accepts bytes that are well-formed UTF-8 (Unicode, table 3-7).
  public static var utf8: Rule {
    Rule(code: "not-utf8") { UTF8Text.firstIllFormed(in: $0[...]) == $0.endIndex }
  }
}

/// The well-formedness of UTF-8 (Unicode Standard, table 3-7).
enum UTF8Text {
  /// The offset of the first ill-formed scalar; the end of the bytes when there is none.
  static func firstIllFormed(in bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let start = index
      let lead = bytes[index]
      index += 1
      guard lead >= 0x80 else { continue }
      guard let (length, second) = follower(lead), index + length <= bytes.endIndex,
        second.contains(bytes[index])
      else { return start }
      for place in (index + 1)..<(index + length) where bytes[place] & 0xC0 != 0x80 {
        return start
      }
      index += length
    }
    return index
  }

  /// The number of bytes after a lead byte, and the range of the first of them. The ranges exclude overlong forms,
  /// surrogates and values beyond the last scalar.
  private static func follower(_ lead: UInt8) -> (Int, ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    default: nil
    }
  }
}
