internal import BenchmarkKit

/// One of several ways to do the same thing, which says itself how long so many turns of it took: it
/// may have to wait, or to have them done in another process.
struct Entrant {
  /// What the tables call it.
  let name: String
  /// What it answers with, or what outlives a power cut.
  let note: String
  /// How many turns a sample may have; fewer where so many would take minutes.
  let limit: Int
  /// Does the thing so many times.
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
