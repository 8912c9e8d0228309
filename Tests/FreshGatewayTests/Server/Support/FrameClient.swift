#if Gateway
  internal import NIOCore
  internal import NIOHPACK
  internal import NIOPosix
  internal import NIOSSL
  internal import OriginServer

  /// A client of HTTP/2 that sends any frames, also invalid ones, and reads the frames of the
  /// gateway. For one task.
  final class FrameClient {
    enum Kind: UInt8 {
      case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    /// An answer as it came on its stream.
    struct Answer {
      /// The informational ones before it.
      var interim: [Int] = []
      var status = 0
      var fields = HPACKHeaders()
      var content: [UInt8] = []
      var trailers = HPACKHeaders()
      /// True once its end has come.
      var isWhole = false
      /// The code with which the gateway has reset the stream.
      var reset: Int?

      var text: String { String(decoding: content, as: UTF8.self) }

      subscript(name: String) -> String? { fields.first(name: name) }
    }

    private let channel: any Channel
    private let inbox: Inbox
    private var bytes: [UInt8] = []
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var answers: [Int: Answer] = [:]
    /// True to take content as it comes; false leaves the windows as they are.
    var takesContent = true
    /// By how much the gateway has opened the window of each stream, and of the connection, which is 0.
    private(set) var opened: [Int: Int] = [:]
    private(set) var settings: [Int: Int] = [:]
    private(set) var pongs = 0
    /// The code and the last stream of the gateway's last GOAWAY.
    private(set) var goAway: (code: Int, last: Int)?
    private(set) var hasEnded = false

    private init(_ channel: any Channel, _ inbox: Inbox) {
      (self.channel, self.inbox) = (channel, inbox)
    }

    /// - Parameter names: The protocols that the handshake offers.
    static func connect(_ port: Int, names: [String] = ["h2"]) async throws -> FrameClient {
      var settings = TLSConfiguration.makeClientConfiguration()
      settings.trustRoots = .certificates(
        try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.issuer.utf8)))
      settings.applicationProtocols = names
      let context = try NIOSSLContext(configuration: settings)
      let inbox = Inbox()
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(
              NIOSSLClientHandler(context: context, serverHostname: "localhost"))
            try operations.addHandler(inbox)
          }
        }
        .connect(host: "127.0.0.1", port: port).get()
      return FrameClient(channel, inbox)
    }

    /// A client that has sent its preface, and has received the gateway's settings.
    static func open(_ port: Int) async throws -> FrameClient {
      let client = try await connect(port)
      try await client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
      try await client.send(.settings, on: 0)
      while client.settings.isEmpty, await client.readFrame() {}
      return client
    }

    // MARK: What is sent

    func send(_ bytes: [UInt8]) async throws {
      try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func send(
      _ kind: Kind, on stream: Int, flags: UInt8 = 0, _ payload: [UInt8] = []
    ) async throws {
      try await send(Self.frame(kind, on: stream, flags: flags, payload))
    }

    static func frame(
      _ kind: Kind, on stream: Int, flags: UInt8 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] {
      number(payload.count, 3) + [kind.rawValue, flags] + number(stream, 4) + payload
    }

    static let endStream: UInt8 = 1
    static let acknowledgement: UInt8 = 1
    static let endHeaders: UInt8 = 4

    /// Sends a request with the common fields. `fields` has more of them, written as `name: value`
    /// and separated by ` | `.
    func ask(
      _ stream: Int, _ path: String = "/a", _ method: String = "GET", fields: String = "",
      isEnd: Bool = true
    ) async throws {
      let start = ":method: \(method) | :scheme: https | :path: \(path) | :authority: g"
      try await ask(stream, exactly: fields.isEmpty ? start : "\(start) | \(fields)", isEnd: isEnd)
    }

    func ask(_ stream: Int, exactly fields: String, isEnd: Bool = true) async throws {
      try await send(
        .headers, on: stream, flags: Self.endHeaders | (isEnd ? Self.endStream : 0),
        Self.block(fields))
    }

    func send(_ stream: Int, content: [UInt8], isEnd: Bool) async throws {
      try await send(.data, on: stream, flags: isEnd ? Self.endStream : 0, content)
    }

    func open(_ stream: Int, by count: Int) async throws {
      try await send(.windowUpdate, on: stream, Self.number(count, 4))
    }

    func reset(_ stream: Int) async throws { try await send(.reset, on: stream, Self.number(8, 4)) }

    /// Fields as a block of HPACK: literals that are not indexed (RFC 7541 section 6.2.2).
    static func block(_ fields: String) -> [UInt8] {
      fields.split(separator: " | ").flatMap { line -> [UInt8] in
        let colon = line.dropFirst().firstIndex(of: ":") ?? line.endIndex
        return [0] + literal(line[..<colon]) + literal(line[colon...].dropFirst(2))
      }
    }

    private static func literal(_ text: Substring) -> [UInt8] {
      guard text.utf8.count >= 127 else { return [UInt8(text.utf8.count)] + Array(text.utf8) }
      var (length, rest) = ([UInt8(127)], text.utf8.count - 127)
      while rest >= 128 {
        length.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      return length + [UInt8(rest)] + Array(text.utf8)
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) }
    }

    func close() async {
      // It fails only for a connection that is closed already.
      try? await channel.close().get()
    }

    // MARK: What comes

    /// The answer on a stream, once it has ended, or the connection has.
    func answer(_ stream: Int) async -> Answer {
      await read { $0.answers[stream].map { $0.isWhole || $0.reset != nil } ?? false }
      return answers[stream] ?? Answer()
    }

    /// The part of the answer on a stream that has arrived so far.
    func soFar(_ stream: Int) -> Answer { answers[stream] ?? Answer() }

    /// Reads until something has come, or the connection has ended; false then.
    @discardableResult
    func read(until hasCome: (FrameClient) -> Bool) async -> Bool {
      while !hasCome(self) {
        guard await readFrame() else { return hasCome(self) }
      }
      return true
    }

    /// Reads to the end of the connection.
    func readToEnd() async { await read { _ in false } }

    /// The bytes that are no frames, until they hold a text, or the connection has ended.
    func text(until end: String) async -> String {
      while !String(decoding: bytes, as: UTF8.self).contains(end), await readMore() {}
      return String(decoding: bytes, as: UTF8.self)
    }

    private func readMore() async -> Bool {
      let more = await inbox.take()
      bytes += more
      if more.isEmpty { hasEnded = true }
      return !more.isEmpty
    }

    private func readFrame() async -> Bool {
      while bytes.count < 9 || bytes.count < 9 + Self.value(bytes[..<3]) {
        guard await readMore() else { return false }
      }
      let length = Self.value(bytes[..<3])
      let (kind, flags) = (Kind(rawValue: bytes[3]), bytes[4])
      let stream = Self.value(bytes[5..<9]) & 0x7FFF_FFFF
      let payload = Array(bytes[9..<(9 + length)])
      bytes.removeFirst(9 + length)
      do {
        try await take(kind, flags, stream, payload)
        return true
      } catch {
        // The gateway has closed the connection early. The frames that it has sent can still be
        // read.
        return true
      }
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private func take(
      _ kind: Kind?, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]
    ) async throws {
      let isEnd = flags & Self.endStream != 0
      switch kind {
      case .headers:
        var block = ByteBuffer(bytes: payload)
        add(try decoder.decodeHeaders(from: &block), to: stream, isEnd: isEnd)
      case .data:
        answers[stream, default: Answer()].content += payload
        if isEnd { answers[stream]?.isWhole = true }
        guard takesContent, !payload.isEmpty else { return }
        try await open(0, by: payload.count)
        if !isEnd { try await open(stream, by: payload.count) }
      case .reset: answers[stream, default: Answer()].reset = Self.value(payload[...])
      case .settings where flags & Self.acknowledgement == 0:
        for place in stride(from: 0, to: payload.count, by: 6) {
          settings[Self.value(payload[place..<(place + 2)])] =
            Self.value(payload[(place + 2)..<(place + 6)])
        }
        try await send(.settings, on: 0, flags: Self.acknowledgement)
      case .ping where flags & Self.acknowledgement != 0: pongs += 1
      case .goAway:
        goAway = (code: Self.value(payload[4..<8]), last: Self.value(payload[..<4]) & 0x7FFF_FFFF)
      case .windowUpdate: opened[stream, default: 0] += Self.value(payload[...])
      default: break
      }
    }

    private func add(_ fields: HPACKHeaders, to stream: Int, isEnd: Bool) {
      var answer = answers[stream, default: Answer()]
      let status = fields.first(name: ":status").flatMap { Int($0) }
      switch status {
      case let status? where status < 200: answer.interim.append(status)
      case let status?: (answer.status, answer.fields) = (status, fields)
      case nil: answer.trailers = fields
      }
      if isEnd { answer.isWhole = true }
      answers[stream] = answer
    }
  }
#endif
