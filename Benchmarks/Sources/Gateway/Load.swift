internal import BenchmarkKit
internal import Foundation

/// The load that `wrk` sends by one thread: each of so many connections sends its next request as
/// soon as it has its answer.
struct Load {
  /// The keys that are requested.
  enum Keys {
    /// Only this path.
    case one(String)
    /// `/small/0` to `/small/N`, round and round.
    case cycle(from: Int, of: Int)
    /// `/small/first` and on, each once.
    case new(first: Int)
  }

  /// The result of the load.
  struct Outcome {
    let requests: Int
    let bytes: Int
    let seconds: Double
    /// In microseconds.
    let median: Double
    let percentile99: Double
    let errors: Int

    var requestsPerSecond: Double { Double(requests) / seconds }
    var megabytesPerSecond: Double { Double(bytes) / seconds / 1_000_000 }
  }

  let connections: Int
  let seconds: Int
  private let tool: [String]
  private let script: String
  private let output: String

  /// - Parameter folder: Where its output may lie.
  init(connections: Int, seconds: Int, _ processors: Processors, in folder: URL) throws {
    guard let scripts = ProcessInfo.processInfo.environment["GATEWAY_SCRIPTS"] else {
      throw Grounds.unprepared
    }
    (self.connections, self.seconds) = (connections, seconds)
    tool = processors.loading + [try Server.program("wrk")]
    script = "\(scripts)/load.lua"
    output = folder.appending(path: "wrk").path
  }

  /// Sends it, for so many seconds.
  func run(_ keys: Keys, on port: UInt16) throws -> Outcome {
    var (path, arguments) = ("/small/0", [String]())
    switch keys {
    case .one(let one): (path, arguments) = (one, ["same"])
    case .cycle(let first, let count): arguments = ["keys", "\(first)", "\(count)"]
    case .new(let first): arguments = ["keys", "\(first)"]
    }
    let words =
      tool + [
        "-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "30s", "-s", script,
        "http://127.0.0.1:\(port)\(path)", "--",
      ] + arguments
    _ = try Launch("wrk", words).run(writingTo: output)
    return try Self.outcome(in: try String(contentsOfFile: output, encoding: .utf8))
  }

  private static func outcome(in text: String) throws -> Outcome {
    let line = text.split(separator: "\n").last { $0.hasPrefix("figures ") } ?? ""
    let figures = line.split(separator: " ").compactMap { Int($0) }
    guard figures.count == 6, figures[0] > 0, figures[2] > 0 else {
      throw BenchmarkFailure(words: "wrk tells no figures: \(text)")
    }
    return Outcome(
      requests: figures[0], bytes: figures[1], seconds: Double(figures[2]) / 1_000_000,
      median: Double(figures[3]), percentile99: Double(figures[4]), errors: figures[5])
  }
}
