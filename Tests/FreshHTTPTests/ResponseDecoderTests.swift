#if HTTP
  internal import NIOCore
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ResponseDecoderTests {
    /// The result of decoding bytes that arrive in parts of one size. The connection ends after
    /// them.
    private struct Reading: Equatable {
      var heads: [ResponseDecoder.Head] = []
      var content: [UInt8] = []
      var trailers: HeaderFields?
      var fault: AnswerFault?

      init(_ bytes: [UInt8], _ methods: [String] = ["GET"], parts: Int) {
        var decoder = ResponseDecoder()
        for method in methods { decoder.expect(method) }
        do throws(AnswerFault) {
          for start in stride(from: 0, to: bytes.count, by: parts) {
            decoder.append(ByteBuffer(bytes: bytes[start..<min(start + parts, bytes.count)]))
            while let part = try decoder.next() { take(part) }
          }
          if let part = try decoder.endOfConnection() { take(part) }
        } catch {
          fault = error
        }
      }

      private mutating func take(_ part: ResponseDecoder.Part) {
        switch part {
        case .head(let head): heads.append(head)
        case .content(let bytes): content += bytes.readableBytesView
        case .end(let fields): trailers = fields
        }
      }
    }

    private static func read(
      _ text: String, _ methods: [String] = ["GET"]
    ) -> Reading {
      let readings = [1, 3, text.utf8.count + 1].map {
        Reading(Array(text.utf8), methods, parts: $0)
      }
      #expect(readings.allSatisfy { $0 == readings[0] }, "parts are the same response")
      return readings[0]
    }

    @Test(arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "\n\r\n\rHTTP/1.0 200\r\n\r\nhello", "HTTP/1.1 200 \r\nX: y\r\n\r\nhello",
      "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length \t: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5 \r\nhello\r\n0 \r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 ; x\r\nhello\r\n000;y=\"z\"\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\t\t;x\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 103 Early\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 1000)
        + "Content-Length: 5\r\n\r\nhello",
    ])
    func `RFC 9112 5.1 and 7.1.1: what servers in use send is read as every client reads it`(
      text: String
    ) {
      let read = Self.read(text)
      #expect(read.content == Array("hello".utf8))
      #expect(read.fault == nil && read.trailers == [:])
      #expect(read.heads.last?.status == 200)
      #expect(read.heads.allSatisfy { $0.fields.lines.allSatisfy { FieldSyntax.isToken($0.name) } })
    }

    @Test(
      arguments: [
        ("x", .noHTTP), (String(repeating: "\n", count: 17), .noHTTP),
        ("ICY 200 OK\r\n", .noHTTP), ("HTTP/2.0 200 OK\r\n\r\n", .version),
        ("HTTP/1.1 099 x\r\n\r\n", .status), ("HTTP/1.1 20 x\r\n\r\n", .status),
        ("HTTP/1.1 101 x\r\n\r\n", .status), ("HTTP/1.1 2000 x\r\n\r\n", .status),
        ("HTTP/1.1 200OK\r\n\r\n", .status), ("HTTP/1.1 200 a\u{1}\r\n\r\n", .status),
        ("HTTP/1.1 200 OK\n\n", .message(.lineEnd)),
        ("HTTP/1.1 200 OK\r\nX: a\nY: b\r\n\r\n", .message(.lineEnd)),
        ("HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", .message(.folded)),
        ("HTTP/1.1 200 OK\r\n X: a\r\n\r\n", .message(.folded)),
        ("HTTP/1.1 200 OK\r\nX\r\n\r\n", .message(.noColon)),
        ("HTTP/1.1 200 OK\r\nX Y: a\r\n\r\n", .message(.fieldName)),
        ("HTTP/1.1 200 OK\r\n : a\r\n\r\n", .message(.folded)),
        ("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", .message(.fieldValue)),
        ("HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", .message(.fieldValue)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", .repeatedLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx", .length),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
          .length
        ),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
        ("HTTP/1.1 304 OK\r\nTransfer-Encoding: identity\r\n\r\n", .transferCoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .message(.chunkSize)),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 5\r\n", .message(.chunkSize)),
        (
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", .message(.chunkLength)
        ),
        (
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
          .message(.incomplete)
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", .message(.incomplete)),
        ("HTTP/1.1 200 OK\r\nContent-Len", .message(.incomplete)), ("HTT", .message(.incomplete)),
      ] as [(String, AnswerFault)])
    func `RFC 9112 6.3 and 11.2: what two recipients might cut in two ways is refused`(
      text: String, fault: AnswerFault
    ) {
      #expect(Self.read(text).fault == fault)
      #expect(!fault.words.isEmpty)
    }

    @Test func `RFC 9112 6.3: an answer to HEAD, 204 and 304 has no content, whatever it says`() {
      let stated = "Content-Length: 5\r\n\r\n"
      let text = "HTTP/1.1 200 OK\r\n\(stated)HTTP/1.1 304 x\r\n\(stated)HTTP/1.1 204 x\r\n\r\n"
      let read = Self.read(text, ["HEAD", "GET", "GET"])
      #expect(read.heads.map(\.status) == [200, 304, 204])
      #expect(read.content.isEmpty && read.fault == nil)
    }

    @Test func `a head tells whether its content ends with the connection`() {
      let heads = [
        "HTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No\r\n\r\n",
      ].map { Self.read($0).heads.map(\.endsWithConnection) }
      #expect(heads == [[true], [true], [false], [false]])
    }

    @Test func `trailers come behind the content`() {
      let read = Self.read(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Sum : 1\r\n\r\n")
      #expect(read.trailers == ["X-Sum": "1"])
    }

    @Test func `bytes behind an answer are seen as such, before another request and after it`() {
      var decoder = ResponseDecoder()
      decoder.expect("GET")
      decoder.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx\r\n"))
      #expect(throws: Never.self) { while try decoder.next() != nil {} }
      #expect(!decoder.hasStrayBytes)
      var ends = decoder
      ends.append(ByteBuffer(string: String(repeating: "\n", count: 20)))
      #expect(ends.hasStrayBytes)
      decoder.append(ByteBuffer(string: "y"))
      #expect(decoder.hasStrayBytes)
      decoder.expect("GET")
      #expect(throws: AnswerFault.strayBytes) { while try decoder.next() != nil {} }
    }

    @Test func `bytes of fields that are no text come in as they are`() throws {
      let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8)
      let read = Reading(head + [0xE9] + Array("\r\n\r\n".utf8), parts: 7)
      let value = try #require(read.heads.first?.fields["X"])
      #expect(FieldText.bytes(value) == Array("caf".utf8) + [0xE9])
    }
  }
#endif
