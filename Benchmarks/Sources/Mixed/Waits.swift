internal import BenchmarkKit

/// The durations of operations of each kind, in microseconds.
struct Waits: Codable, Sendable {
  var gets: [Double] = []
  var puts: [Double] = []
  var removals: [Double] = []

  mutating func add(_ other: Waits) {
    gets += other.gets
    puts += other.puts
    removals += other.removals
  }

  /// Runs `body` and notes its duration in one of the lists.
  mutating func note<Result>(
    _ list: WritableKeyPath<Waits, [Double]>, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let start = ContinuousClock.now
    let result = try await body()
    self[keyPath: list].append((ContinuousClock.now - start).microseconds)
    return result
  }
}
