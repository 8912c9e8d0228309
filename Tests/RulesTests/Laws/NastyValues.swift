/// Values that commonly break programs.
enum NastyValues {
  static let texts: [String] = [
    "", " ", "\0", "a\0b", "\r\n", "\n", "\t", "\u{200B}", "a\u{200B}b", "\u{FEFF}", "\u{202E}abc",
    "e\u{301}", "\u{301}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "שלום עולם",
    "{min}{path}",
    "١٢٣", "Ⅷ", "ﬀ", "İ", "ß", "\u{10FFFF}", "\u{E000}", "nan", "inf", "-0", "+", "-", ".", "@",
    "a@",
    "://", "http://", "[", "[::1", "%", "%zz", "(", "((((", "\\", "\"", "9999999999999999999999",
    "-9223372036854775808", "A", "a", "0", "1", "ab cd", "hello", "two\nlines", "Ünïcödé",
    String(repeating: "a", count: 40), String(repeating: "(", count: 40),
    "e" + String(repeating: "\u{301}", count: 40), String(repeating: "\r\n", count: 40),
  ]

  /// Texts of a mebibyte.
  static let hugeTexts: [String] = [
    String(repeating: "a", count: 1 << 20), String(repeating: "9", count: 1 << 20),
    "e" + String(repeating: "\u{301}", count: 1 << 19),
  ]

  static let integers: [Int] = [.min, .min + 1, -1, 0, 1, 2, 7, 100, .max - 1, .max]

  static let numbers: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1, 0.5, -1, 3, 9_007_199_254_740_992,
    9.3e18,
  ]

  static let lists: [[Int]] = [
    [], [1], [1, 1], [1, 2, 3], [4, 5, 6], Array(repeating: 1, count: 99),
  ]

  static let bytes: [[UInt8]] = [
    [], [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("RIFF".utf8), Array("BM".utf8),
    Array("{".utf8), Array(" \n[1]".utf8), Array(repeating: 0xF0, count: 40),
  ]
}
