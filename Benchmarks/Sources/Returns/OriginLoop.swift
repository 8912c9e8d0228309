internal import BenchmarkKit
internal import Glibc

/// Accepts connections, and answers each request after a while, as a source far away would.
struct OriginLoop {
  /// The time between the end of a request and its answer.
  private static let latency: Int64 = 20_000_000
  private static let answer = Array(
    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n".utf8)

  private let arrivals: Arrivals
  private let listener: Int32
  /// The bytes of each connection that were read and are not yet answered.
  private var connections: [Int32: [UInt8]] = [:]
  /// The answers to give, the first due first.
  private var answers: [(due: Int64, connection: Int32)] = []

  /// Listens on all addresses of the thread's namespace.
  init(_ arrivals: Arrivals) throws {
    self.arrivals = arrivals
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { throw BenchmarkFailure(words: "socket: errno \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(80).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, size)
      }
    }
    guard code == 0, Glibc.listen(listener, 128) == 0 else {
      throw BenchmarkFailure(words: "listen: errno \(errno)")
    }
  }

  /// Serves for ever.
  mutating func run() {
    while true {
      let open = [listener] + connections.keys
      var waited = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = nfds_t(waited.count)
      _ = unsafe poll(&waited, count, timeToWait)
      for ready in waited where ready.revents != 0 {
        if ready.fd == listener { accept() } else { read(ready.fd) }
      }
      giveAnswers()
    }
  }

  /// Until the next answer, in milliseconds; −1 without one.
  private var timeToWait: Int32 {
    guard let next = answers.first else { return -1 }
    return Int32(max(0, (next.due - Moment.now + 999_999) / 1_000_000))
  }

  private mutating func accept() {
    let connection = Glibc.accept(listener, nil, nil)
    guard connection >= 0 else { return }
    arrivals.connection.note()
    connections[connection] = []
  }

  private mutating func read(_ connection: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(connection, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    guard count > 0 else { return end(connection) }
    arrivals.request.note()
    connections[connection, default: []] += bytes[..<count]
    while takeRequest(of: connection) {
      answers.append((due: Moment.now + Self.latency, connection: connection))
    }
  }

  private mutating func end(_ connection: Int32) {
    close(connection)
    connections[connection] = nil
    answers.removeAll { $0.connection == connection }
  }

  /// Takes a whole request away; false when there is none.
  private mutating func takeRequest(of connection: Int32) -> Bool {
    guard let bytes = connections[connection], let end = Self.endOfHead(of: bytes) else {
      return false
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
      .split(separator: "\r\n")
    let field = "content-length: "
    let length = lines.first { $0.hasPrefix(field) }.flatMap { Int($0.dropFirst(field.count)) } ?? 0
    guard bytes.count >= end + 4 + length else { return false }
    connections[connection] = Array(bytes[(end + 4 + length)...])
    return true
  }

  private static func endOfHead(of bytes: [UInt8]) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard bytes.count >= mark.count else { return nil }
    return (0...bytes.count - mark.count).first {
      bytes[$0..<$0 + mark.count].elementsEqual(mark)
    }
  }

  private mutating func giveAnswers() {
    let now = Moment.now
    while let next = answers.first, next.due <= now {
      answers.removeFirst()
      let sent = unsafe Self.answer.withUnsafeBytes {
        unsafe send(
          next.connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if sent != Self.answer.count { end(next.connection) }
    }
  }
}
