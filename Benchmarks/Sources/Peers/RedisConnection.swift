internal import BenchmarkKit

/// As much of Redis's protocol as a cache needs, at the least cost: commands are sent together, and
/// an answer is parsed from its bytes as they come.
final class RedisConnection {
  private let socket: LoopbackSocket
  private var commands: [UInt8] = []
  private var input = [UInt8](repeating: 0, count: 65_536)
  private var next = 0
  private var end = 0

  init(port: UInt16, password: String) throws {
    socket = try LoopbackSocket()
    try socket.connect(to: port)
    add("AUTH", Array(password.utf8))
    try send()
    _ = try answer()
  }

  /// Adds a command of one to four words to those of the next send.
  func add(_ verb: String, _ words: [UInt8]...) {
    commands += "*\(words.count + 1)\r\n$\(verb.utf8.count)\r\n\(verb)\r\n".utf8
    for word in words {
      commands += "$\(word.count)\r\n".utf8
      commands += word
      commands += "\r\n".utf8
    }
  }

  /// Sends the added commands.
  func send() throws {
    try socket.send(commands)
    commands.removeAll(keepingCapacity: true)
  }

  /// The length of the next answer, which is 0 for a word that is no value; `nil` for a missing
  /// value.
  func answer() throws -> Int? {
    switch try byte() {
    case UInt8(ascii: "+"):
      _ = try line()
      return 0
    case UInt8(ascii: "$"):
      guard let count = Int(try line()), count >= 0 else { return nil }
      try skip(count + 2)
      return count
    default: throw BenchmarkFailure(words: "Redis answered \(try line())")
    }
  }

  private func line() throws -> String {
    var line: [UInt8] = []
    while true {
      let byte = try byte()
      if byte == UInt8(ascii: "\n") { return String(decoding: line.dropLast(), as: UTF8.self) }
      line.append(byte)
    }
  }

  private func skip(_ count: Int) throws {
    var left = count
    while left > 0 {
      if next == end { try fill() }
      let part = min(left, end - next)
      next += part
      left -= part
    }
  }

  private func byte() throws -> UInt8 {
    if next == end { try fill() }
    next += 1
    return input[next - 1]
  }

  private func fill() throws {
    end = try socket.receive(into: &input)
    next = 0
  }
}
