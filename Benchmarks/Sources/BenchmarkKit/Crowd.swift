public import Foundation
internal import Glibc

/// Workers that begin at the same moment.
public struct Crowd: Sendable {
  private let gate: String

  /// Workers that meet at a path without a file.
  public init(gate: String) {
    self.gate = gate
  }

  /// Starts so many, lets them begin when all are ready, and returns the output of each.
  public func run(
    _ count: Int, _ arguments: @escaping @Sendable (_ member: Int) -> [String]
  ) async throws -> [Data] {
    for member in 0..<count { unsafe unlink(readiness(of: member)) }
    unsafe unlink(gate)
    return try await withThrowingTaskGroup(of: Data.self) { group in
      for member in 0..<count {
        group.addTask {
          let outcome = try await Worker(arguments(member)).runAside()
          guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
          return outcome.output
        }
      }
      while !(0..<count).allSatisfy({ unsafe access(readiness(of: $0), F_OK) == 0 }) {
        try await Task.sleep(for: .milliseconds(5))
      }
      let begin = Moment.now + 50_000_000
      try Data("\(begin)".utf8).write(to: URL(filePath: gate), options: .atomic)
      var outputs: [Data] = []
      for try await output in group { outputs.append(output) }
      return outputs
    }
  }

  /// In a member: reports that it is ready, waits until all begin, and returns that moment.
  public func wait(as member: Int) async throws -> Int64 {
    try Data().write(to: URL(filePath: readiness(of: member)))
    while unsafe access(gate, F_OK) != 0 { try await Task.sleep(for: .milliseconds(1)) }
    let text = String(decoding: try Data(contentsOf: URL(filePath: gate)), as: UTF8.self)
    guard let begin = Int64(text) else { throw BenchmarkFailure(words: "no moment at \(gate)") }
    while Moment.now < begin { usleep(100) }
    return begin
  }

  private func readiness(of member: Int) -> String { "\(gate).ready-\(member)" }
}
