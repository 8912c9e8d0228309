internal import BenchmarkKit
internal import FreshStore
internal import Strategies
internal import Workload

/// Measures what grows with a number that a program sets: the cost of each of four times as many must stay the same.
@main
struct GrowthBenchmark {
  /// Work of some size; it is measured in seconds.
  private struct Kind {
    let name: String
    let sizes: [Int]
    let seconds: (Store, Int) async throws -> Double
  }

  private static let kinds = [
    Kind(name: "missing keys in one get", sizes: [10_000, 40_000], seconds: missingKeys),
    Kind(name: "uses of a collection, of as many names", sizes: [10_000, 40_000], seconds: names),
    Kind(name: "distinct marks in one sweep", sizes: [2500, 10_000], seconds: marks),
  ]

  static func main() async {
    await Program.run { options in
      guard options.part.isEmpty else { Program.refuse(options.part) }
      var presentation = Presentation(subject: "growth", options)
      let place = try await Place(records: 500)
      var section = Section(
        "What grows with a number", columns: ["of", "number", "seconds", "µs for each"])
      for kind in kinds {
        var each: [Double] = []
        for size in kind.sizes.map({ options.isQuick ? $0 / 20 : $0 }) {
          let store = try Store(path: try place.copy("growth"))
          let seconds = try await kind.seconds(store, size)
          try await store.close()
          each.append(seconds / Double(size) * 1_000_000)
          section.add(row: [kind.name, "\(size)", seconds.figures, each[each.count - 1].figures])
          section.add(Figure("\(size) \(kind.name)", seconds, "s"))
        }
        section.judge(kind.name + ": growth for each", each[1] / each[0], below: 2, "times")
      }
      presentation.add(section)
      try place.remove()
      try presentation.finish()
    }
  }

  private static func missingKeys(_ store: Store, _ count: Int) async throws -> Double {
    let people = try store.collection("people", of: Person.self)
    let keys = (0..<count).map { "new:\($0)" }
    let start = ContinuousClock.now
    let results = await people.get(keys) { missing in
      Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value(Person($0.key.utf8.count))) })
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard results.count == count else { throw BenchmarkFailure(words: "\(results.count) came") }
    return seconds
  }

  private static func names(_ store: Store, _ count: Int) async throws -> Double {
    for number in 0..<count { _ = try store.collection("\(number)", of: Person.self) }
    let start = ContinuousClock.now
    for number in 0..<count { _ = try store.collection("\(number)", of: Person.self) }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func marks(_ store: Store, _ count: Int) async throws -> Double {
    for number in 0..<count { try await store.markStale(tag: "\(number)") }
    let start = ContinuousClock.now
    let result = try await store.sweep()
    guard result.isComplete else { throw BenchmarkFailure(words: "the sweep is not complete") }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
