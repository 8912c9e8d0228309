internal import FreshStoreTesting
internal import Testing

@testable import FreshHTTP

/// RFC 9110 section 5.5: bytes of values that are no text.
@Suite struct FieldTextTests {
  @Test(arguments: [
    ("caf\u{E9}", false), ("\u{10FF7F}", false), ("\u{10FF80}", true), ("\u{FFFD}", true),
    ("plain", false), ("\u{FF21}\u{F8FF}", false),
  ])
  func `text is itself, but for what bytes are written as`(text: String, isOpaque: Bool) {
    let read = FieldText.text(Array(text.utf8))
    #expect((read != text) == isOpaque)
    #expect(FieldText.isOpaque(read) == isOpaque)
    #expect(FieldText.bytes(read) == Array(text.utf8))
  }

  @Test(
    arguments: [
      [0xE9], [0x63, 0xE9, 0x21], [0xC3, 0x28], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xC0, 0xAF],
      [0xFF, 0xFE], [0xC3, 0xA9, 0xE9], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func `bytes that are no text come back as they are, and no two are the same text`(bytes: [UInt8])
  {
    let read = FieldText.text(bytes)
    #expect(FieldText.bytes(read) == bytes)
    #expect(FieldText.isOpaque(read))
    #expect(FieldText.replacingBytes(read).unicodeScalars.contains("\u{FFFD}"))
    #expect(FieldSyntax.isFieldValue(read))
  }

  @Test func `any bytes come back`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        UInt8.random(
          in: Bool.random(using: &generator) ? 0x20...0x7E : 0x80...0xFF, using: &generator)
      }
      #expect(FieldText.bytes(FieldText.text(bytes)) == bytes)
    }
  }
}
