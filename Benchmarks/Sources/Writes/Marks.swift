internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// Explicit marks on stores of several sizes: each should cost the same on all of them.
struct Marks {
  private struct Kind: Sendable {
    let name: String
    let mark: @Sendable (RecordCollection<Person>, Int) async throws -> Void
  }

  private static let kinds = [
    Kind(name: "one key") { people, turn in try await people.markStale("user:\(turn % 1000)") },
    Kind(name: "prefix, all records") { people, _ in try await people.markStale(prefix: "user:") },
    Kind(name: "tag, all records") { people, _ in try await people.store.markStale(tag: "all") },
    Kind(name: "collection") { people, _ in try await people.markAllStale() },
  ]

  private let sizes: [Int]
  private let marks: Int

  init(isQuick: Bool) {
    sizes = isQuick ? [100, 1000] : [1000, 100_000, 1_000_000]
    marks = isQuick ? 5 : 300
  }

  func measure() async throws -> Section {
    var places: [Place] = []
    for size in sizes { places.append(try await Place(records: size, tags: ["all"])) }
    var stores: [Store] = []
    for (place, size) in zip(places, sizes) {
      stores.append(try Store(path: try place.copy("marked-\(size)")))
    }
    let people = try stores.map { try $0.collection("people", of: Person.self) }
    var section = Section(
      "Marking stale, durable when it returns: median µs by the number of records",
      columns: ["what"] + sizes.map { "\($0)" } + ["dearest ÷ cheapest"])
    for kind in Self.kinds {
      add(kind.name, try await waits(kind, people).map(\.median), to: &section)
    }
    for store in stores { try await store.close() }
    for place in places { try place.remove() }
    return section
  }

  /// One mark on each store after the other, in rounds.
  private func waits(_ kind: Kind, _ people: [RecordCollection<Person>]) async throws -> [Samples] {
    var waits = [[Double]](repeating: [], count: people.count)
    for turn in 0..<marks {
      for (index, records) in people.enumerated() {
        let start = ContinuousClock.now
        try await kind.mark(records, turn)
        waits[index].append((ContinuousClock.now - start).microseconds)
      }
    }
    return waits.map(Samples.init)
  }

  private func add(_ name: String, _ medians: [Double], to section: inout Section) {
    let spread = Samples(medians).maximum / (medians.min() ?? 1)
    section.add(row: [name] + medians.map(\.figures) + [spread.figures])
    for (size, median) in zip(sizes, medians) {
      section.add(Figure("mark, \(name), \(size) records", median, "µs"))
    }
    section.judge("\(name), dearest ÷ cheapest", spread, below: 1.5, "")
  }
}
