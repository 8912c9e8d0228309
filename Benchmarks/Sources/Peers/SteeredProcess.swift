internal import BenchmarkKit
internal import Foundation

/// A process that executes the lines on its standard input, and answers each with a line.
final class SteeredProcess {
  private let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()
  private var received = Data()

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
  }

  /// Sends an order and waits for the answer.
  func ask(_ order: String) throws -> String {
    try orders.fileHandleForWriting.write(contentsOf: Data("\(order)\n".utf8))
    return try answer()
  }

  /// Waits for a line.
  func answer() throws -> String {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received = Data(received[(end + 1)...])
        return line
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else {
        let script = process.arguments?.joined(separator: " ") ?? ""
        throw BenchmarkFailure(words: "\(script) ended")
      }
      received += more
    }
  }

  /// Ends it, and waits until it has ended.
  func end() throws {
    try orders.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
