#if Gateway
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// Chunks of one byte, from a client or an origin, take no more memory or time than long ones.
  @Suite(.timeLimit(.minutes(1))) struct ShortPartsTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }

    @Test func `short parts that wait become few, and lose no byte`() {
      var parts: [ByteBuffer] = []
      for byte in Self.bytes { parts.add(ByteBuffer(integer: byte)) }
      #expect(parts.count < 40)
      #expect(parts.flatMap { Array($0.readableBytesView) } == Self.bytes)
    }

    @Test func `few parts, and long ones, stay as they came`() {
      var parts: [ByteBuffer] = []
      for _ in 1...16 { parts.add(ByteBuffer(string: "one")) }
      #expect(parts.count == 16)
      parts.add(ByteBuffer(string: "two"))
      #expect(parts.map { String(buffer: $0) } == Array(repeating: "one", count: 15) + ["onetwo"])
      parts.add(ByteBuffer(repeating: 1, count: 10_000))
      #expect(parts.count == 17)
    }

    @Test func `what a part was cut out of stays as it is`() throws {
      var received = ByteBuffer(string: String(repeating: "x", count: 15) + "abcdef")
      var parts: [ByteBuffer] = []
      for _ in 1...16 {
        let part = received.readSlice(length: 1)
        parts.add(try #require(part))
      }
      parts.add(ByteBuffer(string: "!"))
      #expect(parts.last.map { String(buffer: $0) } == "a!")
      #expect(String(buffer: received) == "bcdef")
    }

    @Test func `a short part keeps nothing in memory of what it was received with`() async throws {
      func received() -> ByteBuffer {
        var bytes = ByteBuffer(repeating: 1, count: 64 << 10)
        return bytes.readSlice(length: 1) ?? bytes
      }
      let long = ByteBuffer(repeating: 1, count: 64 << 10)
      #expect(received().storageCapacity >= 64 << 10 && received().unpinned.storageCapacity < 1024)
      #expect(long.unpinned.storageCapacity == long.storageCapacity)
      let upload = Upload { _ in }
      upload.add(received())
      #expect(try #require(await upload.next()).storageCapacity < 1024)
      let body = SharedBody(keeping: 1, endsInTime: true, StorageQuota(limit: 1))
      let reader = try #require(body.join())
      #expect(await body.append(received()))
      #expect(try #require(body.whole).storageCapacity < 1024)
      guard case .bytes(let part) = await body.next(reader) else {
        return #expect(Bool(false), "nothing has come")
      }
      #expect(part.storageCapacity < 1024)
    }

    @Test func `an upload in chunks of one byte goes on in few parts`() async throws {
      let upload = Upload { _ in }
      for byte in Self.bytes { upload.add(ByteBuffer(integer: byte)) }
      upload.end()
      var (bytes, count) = ([UInt8](), 0)
      while let part = try await upload.next() {
        bytes += part.readableBytesView
        count += 1
      }
      #expect(bytes == Self.bytes)
      #expect(count < 40)
      #expect(upload.hasRoom)
    }

    @Test func `each reader gets every byte of an answer in chunks of one byte once`() async throws
    {
      let length = 1000
      let body = SharedBody(keeping: length, endsInTime: true, StorageQuota(limit: length))
      let (early, late) = (try #require(body.join()), try #require(body.join()))
      var bytes: [UInt8] = []
      for byte in Self.bytes.prefix(length) {
        #expect(await body.append(ByteBuffer(integer: byte)))
        guard case .bytes(let part) = await body.next(early) else { break }
        bytes += part.readableBytesView
      }
      body.end(isWhole: true)
      #expect(bytes == Array(Self.bytes.prefix(length)))
      bytes = []
      var count = 0
      while case .bytes(let part) = await body.next(late) {
        bytes += part.readableBytesView
        count += 1
      }
      #expect(bytes == Array(Self.bytes.prefix(length)))
      #expect(count < 40)
      #expect(body.whole.map { Array($0.readableBytesView) } == bytes)
    }
  }
#endif
