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
  /// Bytes that begin like a JSON object or array; only a parser can confirm it.
  case json

  /// The type that the first bytes identify; `nil` when they identify none. Reads at most 512
  /// bytes.
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
    // A bitmap's magic is too short to stand alone: its four reserved bytes are zero.
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
