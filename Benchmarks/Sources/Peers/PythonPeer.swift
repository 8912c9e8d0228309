internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// A cache of Python's, in an interpreter of its own, which times its own loops.
final class PythonPeer: Peer {
  private let name: String
  private let fillLimit: Int
  private let process: SteeredProcess

  /// Starts it with all records.
  ///
  /// - Parameters:
  ///   - script: The file of the peer, in the folder that `PEERS_SCRIPTS` names.
  ///   - fillLimit: The most records of a timed fill.
  init(
    _ name: String, _ script: String, fillLimit: Int = .max, records: Int, in place: Place
  ) async throws {
    (self.name, self.fillLimit) = (name, fillLimit)
    let environment = ProcessInfo.processInfo.environment
    guard let python = environment["PEERS_PYTHON"], let scripts = environment["PEERS_SCRIPTS"]
    else {
      throw BenchmarkFailure(words: "not installed")
    }
    let room = try place.room(name)
    let keys = room.appending(path: "keys")
    try Data(Traffic(records: records).order.joined(separator: "\n").utf8).write(to: keys)
    process = try SteeredProcess(python, ["-B", "\(scripts)/\(script)", room.path, keys.path])
    _ = try process.answer()
    _ = try time("fill", records)
  }

  var reads: [Entrant] {
    [
      Entrant("\(name) (Python)", note: "value") { [self] turns in try time("read", turns) }
    ]
  }

  var put: Entrant {
    Entrant("\(name) (Python)", note: "WAL, synchronous=NORMAL") { [self] turns in
      try time("put", turns)
    }
  }

  var fill: Entrant {
    let part = fillLimit == .max ? "" : "; \(Double(fillLimit).figures) records at most"
    return Entrant("\(name) (Python)", note: "WAL, synchronous=NORMAL\(part)", limit: fillLimit) {
      [self] records in try time("fill", records)
    }
  }

  func close() throws { try process.end() }

  private func time(_ verb: String, _ count: Int) throws -> Duration {
    let answer = try process.ask("\(verb) \(count)")
    guard let nanoseconds = Int64(answer) else {
      throw BenchmarkFailure(words: "\(name) answered \(answer)")
    }
    return .nanoseconds(nanoseconds)
  }
}
