internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc

/// Measures how soon a store learns of another process's commit, and the cost of waiting for it.
@main
struct ObservationBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("observe", 3): try await Observer.run(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "observation", options)
    var section = Section(
      "From the end of a commit to the observer in another process",
      columns: ["commits", "apart by", "p50 ms", "p99 ms", "max ms", "not told one by one"])
    for pause in [Duration.milliseconds(50), .milliseconds(5), .zero] {
      let round = try await ObservationRound(count: options.isQuick ? 50 : 1000, pause: pause)
      section.add(row: round.row)
      section.add(Figure("apart by \(round.row[1]): p99", round.latencies.percentile(99), "ms"))
      section.judge("worst of \(round.row[1])", round.latencies.maximum, below: 250, "ms")
    }
    presentation.add(section)
    presentation.add(try await idle(for: options.isQuick ? 1 : 30))
    try presentation.finish()
  }

  /// The cost of an observer that learns of nothing.
  private static func idle(for seconds: Int) async throws -> Section {
    let place = try Place()
    defer { place.remove() }
    let store = try Store(path: place.path)
    let watch = Task { for await _ in store.changes() {} }
    // The work of an observer at its start does not go on for ever.
    try await Task.sleep(for: .milliseconds(200))
    let before = ProcessUsage.now
    try await Task.sleep(for: .seconds(seconds))
    let after = ProcessUsage.now
    watch.cancel()
    try await store.close()
    let time = (after.processorTime - before.processorTime).milliseconds
    var section = Section(
      "An observer that is told nothing for \(seconds) s",
      columns: ["processor time ms", "wake-ups a second"])
    section.add(row: [
      time.figures, (Double(after.sleeps - before.sleeps) / Double(seconds)).figures,
    ])
    section.add(Figure("idle: processor time a second", time / Double(seconds), "ms"))
    return section
  }
}
