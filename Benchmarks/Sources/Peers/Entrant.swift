internal import BenchmarkKit

/// One of several ways to do the same work, which itself measures the time of so many turns: it may
/// have to wait, or to have them done in another process.
struct Entrant {
  /// Its name in the tables.
  let name: String
  /// The form of its answer, or the writes that outlive a power cut.
  let note: String
  /// How many turns a sample may have; fewer where so many would take minutes.
  let limit: Int
  /// Does the work so many times.
  let measure: (_ turns: Int) async throws -> Duration

  init(
    _ name: String, note: String, limit: Int = .max,
    measure: @escaping (_ turns: Int) async throws -> Duration
  ) {
    (self.name, self.note, self.limit) = (name, note, limit)
    self.measure = measure
  }

  /// A contestant that is timed from outside.
  init(_ name: String, _ contestant: Contestant) {
    self.init(name, note: contestant.answer) { turns in
      let start = ContinuousClock.now
      let sum = contestant.run(turns)
      let time = ContinuousClock.now - start
      guard sum >= 0 else { throw BenchmarkFailure(words: "\(name) did not find a record") }
      return time
    }
  }
}
