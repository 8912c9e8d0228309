#if Gateway
  internal import NIOCore
  internal import NIOPosix

  /// A connection that sends bytes as they are written, and reads answers.
  final class RawClient {
    /// An answer as it came over the wire, its content put together.
    struct Answer {
      var status = 0
      var fields: [(name: String, value: String)] = []
      var content: [UInt8] = []
      /// The bytes before the content.
      var head: [UInt8] = []
      /// The lines behind chunked content.
      var trailers: [String] = []
      /// False when the connection ended before the content did.
      var isWhole = true

      var text: String { String(decoding: content, as: UTF8.self) }

      subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
      }
    }

    private let channel: any Channel
    private let inbox: Inbox
    private var bytes: [UInt8] = []

    private init(_ channel: any Channel, _ inbox: Inbox) {
      (self.channel, self.inbox) = (channel, inbox)
    }

    static func connect(_ port: Int) async throws -> RawClient {
      let inbox = Inbox()
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(inbox)
          }
        }
        .connect(host: "127.0.0.1", port: port).get()
      return RawClient(channel, inbox)
    }

    /// Takes no more bytes for now, or goes on.
    func setPaused(_ isPaused: Bool) async throws {
      try await channel.setOption(.autoRead, value: !isPaused).get()
    }

    /// Takes some bytes, as soon as there are any, while it is paused.
    func takeSome() { channel.read() }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
      try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func close() async {
      // It fails only for a connection that is closed already.
      try? await channel.close().get()
    }

    /// Reads the next answer; `nil` when the connection ends without one.
    ///
    /// - Parameter isHead: True for the answer to a HEAD, which has no content.
    func answer(isHead: Bool = false) async -> Answer? {
      guard var answer = await head() else { return nil }
      if !isHead { await readContent(of: &answer) }
      return answer
    }

    /// Reads the head of the next answer.
    func head() async -> Answer? {
      guard let head = await take(through: "\r\n\r\n") else { return nil }
      let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
      var answer = Answer()
      answer.head = head
      answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
      answer.fields = lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return (String(name), String(line.dropFirst(name.count + 2)))
      }
      return answer
    }

    func readContent(of answer: inout Answer) async {
      guard answer.status >= 200, ![204, 304].contains(answer.status) else { return }
      if answer["Transfer-Encoding"] == "chunked" {
        await readChunks(&answer)
      } else if let length = answer["Content-Length"].flatMap({ Int($0) }) {
        answer.content = await take(length)
        answer.isWhole = answer.content.count == length
      } else {
        while await readMore() {}
        (answer.content, bytes) = (bytes, [])
      }
    }

    /// True when the other end closes, and has sent nothing more.
    func isEnded() async -> Bool {
      while await readMore() {}
      return bytes.isEmpty
    }

    /// True when the other end closes in no order, so that what has come is known not to be whole.
    func isReset() async -> Bool {
      while await readMore() {}
      return inbox.isReset
    }

    private func readChunks(_ answer: inout Answer) async {
      while true {
        guard let line = await take(through: "\r\n"),
          let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16)
        else {
          answer.isWhole = false
          return
        }
        if size == 0 { return await readTrailers(&answer) }
        let part = await take(size + 2)
        answer.content += part.prefix(size)
        guard part.count == size + 2 else {
          answer.isWhole = false
          return
        }
      }
    }

    private func readTrailers(_ answer: inout Answer) async {
      while let line = await take(through: "\r\n") {
        if line.count == 2 { return }
        answer.trailers.append(String(decoding: line.dropLast(2), as: UTF8.self))
      }
      answer.isWhole = false
    }

    private func take(_ count: Int) async -> [UInt8] {
      while bytes.count < count, await readMore() {}
      defer { bytes.removeFirst(min(count, bytes.count)) }
      return Array(bytes.prefix(count))
    }

    private func take(through text: String) async -> [UInt8]? {
      let end = Array(text.utf8)
      while true {
        if let range = bytes.firstRange(of: end) {
          defer { bytes.removeFirst(range.upperBound) }
          return Array(bytes[..<range.upperBound])
        }
        guard await readMore() else { return nil }
      }
    }

    private func readMore() async -> Bool {
      let more = await inbox.take()
      bytes += more
      return !more.isEmpty
    }
  }
#endif
