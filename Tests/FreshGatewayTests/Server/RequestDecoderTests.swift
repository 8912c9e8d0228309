#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// Bytes are cut into requests in one way, or refused.
  @Suite struct RequestDecoderTests {
    /// Decodes bytes; returns the parts of the requests, and the status of a final refusal.
    private func read(
      _ text: String, in pieces: Int = .max, _ limits: HeadLimits = HeadLimits()
    ) -> (heads: [IncomingRequest], content: String, ends: Int, refusal: Int?) {
      var decoder = RequestDecoder(limits)
      var (heads, content, ends): ([IncomingRequest], String, Int) = ([], "", 0)
      var bytes = Array(text.utf8)
      do throws(RequestRefusal) {
        while !bytes.isEmpty {
          decoder.append(ByteBuffer(bytes: bytes.prefix(pieces)))
          bytes.removeFirst(min(pieces, bytes.count))
          while let part = try decoder.next() {
            switch part {
            case .head(let head):
              heads.append(head)
              try decoder.begin(MessageFraming(ofRequest: head.fields, version: head.version))
            case .content(let part): content += String(buffer: part)
            case .end: ends += 1
            }
          }
        }
        return (heads, content, ends, nil)
      } catch {
        return (heads, content, ends, error.status)
      }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `requests are cut alike, however their bytes come`(pieces: Int) {
      let text =
        "POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
        + "GET /c HTTP/1.0\r\nX:  spaced \t\r\n\r\n"
        + "PUT /d HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3;x=y\r\nabc\r\n00A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
      let read = read(text, in: pieces)
      #expect(read.refusal == nil)
      #expect(read.heads.map(\.method) == ["POST", "GET", "PUT"])
      #expect(read.heads.map(\.target) == ["/a?b", "/c", "/d"])
      #expect(read.heads.map(\.version) == [.http11, .http10, .http11])
      #expect(read.heads[1].fields.first("X") == "spaced")
      #expect(read.content == "helloabc0123456789")
      #expect(read.ends == 3)
    }

    @Test(
      arguments: [("1.0", .http10), ("1.1", .http11), ("1.2", .http11), ("1.9", .http11)]
        as [(String, IncomingRequest.Version)])
    func `RFC 9110 2.5: a higher minor version is read as the highest that is known`(
      version: String, expected: IncomingRequest.Version
    ) {
      #expect(read("GET / HTTP/\(version)\r\nHost: h\r\n\r\n").heads.map(\.version) == [expected])
    }

    @Test(arguments: ["0.9", "2.0", "3.0", "9.9"])
    func `RFC 9110 15.6.6: another major version is refused with 505`(version: String) {
      #expect(read("GET / HTTP/\(version)\r\nHost: h\r\n\r\n").refusal == 505)
    }

    @Test func `an empty line before a request is passed over, and not many`() {
      #expect(read("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n").heads.count == 1)
      #expect(read("\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n").refusal == 400)
    }

    @Test func `an empty line behind content begins no request`() throws {
      var decoder = RequestDecoder()
      decoder.append(ByteBuffer(string: "\r\n"))
      let part = try decoder.next()
      #expect(part == nil)
      #expect(decoder.isIdle)
    }

    @Test(arguments: [[0xE9], [0xC3], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `bytes that are no text are refused in a request line, and kept in a field`(
      bytes: [UInt8]
    ) throws {
      for head in ["GET", "GET /?"] {
        var decoder = RequestDecoder()
        decoder.append(
          ByteBuffer(bytes: Array(head.utf8) + bytes + Array(" HTTP/1.1\r\n\r\n".utf8)))
        #expect(throws: RequestRefusal.self) { _ = try decoder.next() }
      }
      var decoder = RequestDecoder()
      decoder.append(
        ByteBuffer(
          bytes: Array("GET / HTTP/1.1\r\nCookie: a=".utf8) + bytes + Array("\r\n\r\n".utf8)))
      guard case .head(let head) = try decoder.next() else {
        Issue.record("there is no head")
        return
      }
      #expect(FieldText.bytes(head.fields["Cookie"] ?? "") == Array("a=".utf8) + bytes)
      let text = read("GET / HTTP/1.1\r\nHost: h\r\nX: \u{e9}\r\n\r\n")
      #expect(text.heads[0].fields["X"] == "\u{e9}")
    }

    @Test(arguments: [
      ("GET / HTTP/1.1\nHost: h\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\n\n", 400),
      ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1 \r\n\r\n", 400), ("GET /\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n Host: h\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400), ("GET / http/1.1\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.10\r\n\r\n", 400),
      ("PRI * HTTP/2.0\r\n\r\n", 505),
      ("GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
      ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ])
    func `a head that others may read in another way is refused`(text: String, status: Int) {
      #expect(read(text).refusal == status)
      #expect(read(text, in: 1).refusal == status)
    }

    @Test(arguments: [
      "5\nhello\r\n0\r\n\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
      "0x5\r\nhello\r\n", "-5\r\nhello\r\n", "5 \r\nhello\r\n", " 5\r\nhello\r\n", "\r\nhello\r\n",
      "5 ;x\r\nhello\r\n", "5;\u{1}\r\nhello\r\n", "1000000000000000\r\n", "0\r\nno colon\r\n\r\n",
      "0\r\n folded: x\r\n\r\n", "0\r\nspace : x\r\n\r\n",
    ])
    func `chunks that others may read in another way are refused`(chunks: String) {
      let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      #expect(read(head + chunks).refusal == 400)
      #expect(read(head + chunks, in: 1).refusal == 400)
    }

    @Test func `each limit has its status, whether or not the line ends`() {
      var limits = HeadLimits()
      (limits.requestLine, limits.bytes, limits.fields, limits.content) = (64, 256, 4, 10)
      limits.chunkExtension = 8
      let long = String(repeating: "a", count: 300)
      #expect(read("GET /\(long)", in: 50, limits).refusal == 414)
      #expect(read("GET /\(long) HTTP/1.1\r\n\r\n", limits: limits) == 414)
      #expect(read("GET / HTTP/1.1\r\nX: \(long)", in: 50, limits).refusal == 431)
      let many = String(repeating: "X: y\r\n", count: 5)
      #expect(read("GET / HTTP/1.1\r\n\(many)\r\n", limits: limits) == 431)
      #expect(read("PUT / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", limits: limits) == 413)
      let chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
      #expect(read(chunked + "6\r\nabcdef\r\n5\r\n", limits: limits) == 413)
      #expect(read(chunked + "1;\(long)", limits: limits) == 400)
      #expect(read(chunked + "0\r\n\(many)\r\n", limits: limits) == 431)
    }

    private func read(_ text: String, limits: HeadLimits) -> Int? {
      read(text, in: .max, limits).refusal
    }
  }
#endif
