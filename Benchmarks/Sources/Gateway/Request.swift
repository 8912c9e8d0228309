internal import BenchmarkKit
internal import Foundation

/// One request over a connection of its own.
enum Request {
  /// A whole answer.
  struct Answer {
    let status: Int
    let content: Data
  }

  /// Asks, and waits for the whole answer, whose length must be told.
  static func get(_ path: String, on port: UInt16) throws -> Answer {
    let socket = try LoopbackSocket()
    try socket.connect(to: port)
    try socket.send(head(path, port))
    var (bytes, part) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = try socket.receive(into: &part)
      bytes.append(contentsOf: part[..<count])
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
      let (status, length) = try read(String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
      while bytes.count - end.upperBound < length {
        let count = try socket.receive(into: &part)
        bytes.append(contentsOf: part[..<count])
      }
      return Answer(status: status, content: bytes[end.upperBound...])
    }
  }

  /// The bytes of a request.
  static func head(_ path: String, _ port: UInt16) -> [UInt8] {
    Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
  }

  private static func read(_ head: String) throws -> (status: Int, length: Int) {
    let lines = head.components(separatedBy: "\r\n")
    let field = "content-length:"
    let length = lines.first { $0.lowercased().hasPrefix(field) }.flatMap {
      Int($0.dropFirst(field.count).trimmingCharacters(in: .whitespaces))
    }
    let words = head.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let status = Int(words[1]), let length else {
      throw BenchmarkFailure(words: "an answer without a status or a length: \(head)")
    }
    return (status, length)
  }
}
