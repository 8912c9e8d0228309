#if Gateway
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// Ranges are cut out of what is kept, and parts are put together.
  @Suite struct ContentBytesTests {
    private func bytes(_ extents: [Range<Int64>], _ text: String) -> ContentBytes {
      ContentBytes(content: StoredContent(extents, of: 10), bytes: ByteBuffer(string: text))
    }

    @Test(
      arguments: [
        (0..<2, "ab"), (2..<4, "cd"), (6..<9, "ghi"), (3..<7, nil), (4..<6, nil), (8..<10, nil),
      ] as [(Range<Int64>, String?)])
    func `a range is there when one extent has it`(range: Range<Int64>, text: String?) {
      let kept = bytes([0..<4, 6..<9], "abcdghi")
      #expect(kept.slice(range).map { String(buffer: $0) } == text)
    }

    @Test func `new bytes take the place of old ones`() {
      let (new, old) = (bytes([2..<6], "CDEF"), bytes([0..<4, 6..<9], "abcdghi"))
      let joined = ContentBytes.joined([0..<9], from: new, old)
      #expect(joined.map { String(buffer: $0) } == "abCDEFghi")
      #expect(ContentBytes.joined([0..<10], from: new, old) == nil)
    }
  }
#endif
