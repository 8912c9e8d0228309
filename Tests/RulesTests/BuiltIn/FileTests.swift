import Rules
import Testing

@Suite struct FileTests {
  private static let heads: [(FileType, [UInt8])] = [
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
    (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a...".utf8)),
    (.webp, Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8)), (.wav, Array("RIFF\0\0\0\0WAVE".utf8)),
    (.tiff, [0x49, 0x49, 0x2A, 0]), (.tiff, [0x4D, 0x4D, 0, 0x2A]),
    (.bmp, Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0]),
    (.heif, Array("\0\0\0\u{18}ftypheic".utf8)),
    (.mp4, Array("\0\0\0\u{18}ftypisom".utf8)), (.pdf, Array("%PDF-1.7".utf8)),
    (.zip, Array("PK\u{3}\u{4}".utf8)), (.zip, Array("PK\u{5}\u{6}".utf8)),
    (.gzip, [0x1F, 0x8B, 8, 0]),
    (.bzip2, Array("BZh9".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
    (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]),
    (.tar, Array(repeating: 0, count: 257) + Array("ustar".utf8)),
    (.sqlite, Array("SQLite format 3\0".utf8)), (.ogg, Array("OggS".utf8)),
    (.elf, Array("\u{7F}ELF".utf8)), (.wasm, Array("\0asm".utf8)),
    (.xml, Array("<?xml version='1.0'?>".utf8)), (.xml, Array("\u{FEFF} <?xml?>".utf8)),
    (.html, Array("\n<!DOCTYPE HTML>".utf8)), (.html, Array("<Html lang=en>".utf8)),
    (.json, Array(" { \"a\": 1}".utf8)), (.json, Array("{}".utf8)), (.json, Array("[1]".utf8)),
    (.json, Array("[]".utf8)),
  ]

  @Test(arguments: heads)
  func `a type is recognised by the first bytes`(type: FileType, bytes: [UInt8]) {
    #expect(FileType(of: bytes) == type)
    #expect(Rule.fileType([type, .png]).isKept(by: bytes))
    #expect(!Rule.fileType(Set(FileType.allCases).subtracting([type])).isKept(by: bytes))
  }

  @Test func `every type is recognised`() {
    #expect(Set(Self.heads.map(\.0)) == Set(FileType.allCases))
  }

  @Test(arguments: [
    "", "BM", "BMW is a car", "RIFF", "RIFF....", "RIFF....AVI ", "GIF88a", "PK", "{", "[", "{a",
    "[x",
    "text", "<p>", "SQLite format 4\0", "%PDF",
  ])
  func `bytes with an unknown beginning have no type`(text: String) {
    #expect(FileType(of: Array(text.utf8)) == nil)
    #expect(!Rule.fileType(Set(FileType.allCases)).isKept(by: Array(text.utf8)))
  }

  @Test func `an issue names the types`() {
    let issues = Rule.fileType([.png, .jpeg]).check([1]).issues
    #expect(issues.map(\.message) == ["must be a file of the type jpeg, png"])
  }

  @Test(arguments: [(0, ["file-too-small"]), (1, []), (2, []), (3, ["file-too-big"])])
  func `a size is counted in bytes`(count: Int, codes: [String]) {
    let bytes = [UInt8](repeating: 0, count: count)
    #expect(Rule.size(1...2).check(bytes).issues.map(\.code) == codes)
  }

  @Test(arguments: 0...0x10FFFF / 997)
  func `every scalar is well-formed UTF-8`(step: Int) {
    guard let scalar = Unicode.Scalar(UInt32(step * 997)) else { return }
    #expect(Rule.utf8.isKept(by: Array(String(scalar).utf8)))
    #expect(!Rule.utf8.isKept(by: Array(String(scalar).utf8) + [0x80]))
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82, 0x41], [0xF0, 0x90, 0x80],
      [0xF0, 0x90, 0x80, 0xC0],
      [0x41, 0xFE],
    ] as [[UInt8]])
  func `bytes that are not UTF-8`(bytes: [UInt8]) {
    #expect(!Rule.utf8.isKept(by: bytes))
  }

  @Test(
    arguments: [
      [], [0x41], [0xC2, 0x80], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
      [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0, 0xEF, 0xBB, 0xBF],
    ] as [[UInt8]])
  func `bytes at the limits of UTF-8`(bytes: [UInt8]) {
    #expect(Rule.utf8.isKept(by: bytes))
  }
}
