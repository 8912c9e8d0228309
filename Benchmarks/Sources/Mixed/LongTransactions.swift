internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Synchronization
internal import Workload

/// Reads while another connection holds a write transaction.
struct LongTransactions {
  private let place: Place
  private let people: People
  private let hold: Duration

  init(_ place: Place, _ people: People, isQuick: Bool) {
    self.place = place
    self.people = people
    hold = .milliseconds(isQuick ? 50 : 1000)
  }

  func measure() async throws -> Section {
    var section = Section(
      "Reads while somebody holds a write transaction",
      columns: ["meanwhile", "for ms", "reads", "p50 µs", "p99 µs", "max µs"])
    let path = try place.copy("held")
    let store = try Store(path: path, configuration: .withThreeStrategies())
    let records = try store.collection("people", of: Person.self)
    _ = try await reads(records) { try await Task.sleep(for: hold) }
    add("nothing", try await reads(records) { try await Task.sleep(for: hold) }, to: &section)
    let other = try await reads(records) { try transaction(path) }
    add("another connection", other, to: &section)
    let own = try await reads(records) { try await putMany(records) }
    add("a put of \(people.values.count) by the same store", own, to: &section)
    try await store.close()
    return section
  }

  private func transaction(_ path: String) throws {
    let table = try RawTable(path: path, survivesPowerLoss: false)
    // Of records that are never read: they lack the store's checksums.
    try table.transaction {
      for number in 0..<100 { try table.put("other:\(number)", people.bytes[number]) }
      Thread.sleep(forTimeInterval: hold / .seconds(1))
    }
  }

  private func putMany(_ records: RecordCollection<Person>) async throws {
    let all = Dictionary(
      uniqueKeysWithValues: people.values.map { ("user:\($0.id)", $0) })
    try await records.put(all, durability: .normal)
  }

  /// The waits of a thread that reads all the time while `body` runs.
  private func reads(
    _ records: RecordCollection<Person>, while body: () async throws -> Void
  ) async throws -> (span: Duration, waits: Samples) {
    let isOver = Flag()
    let count = people.values.count
    async let waits = withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Self.read(records, Traffic(records: count), until: isOver))
      }
    }
    let start = ContinuousClock.now
    try await body()
    let span = ContinuousClock.now - start
    isOver.value.store(true, ordering: .releasing)
    return (span, Samples(await waits))
  }

  private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
  }

  private static func read(
    _ records: RecordCollection<Person>, _ traffic: Traffic, until isOver: Flag
  ) -> [Double] {
    var waits: [Double] = []
    while !isOver.value.load(ordering: .acquiring) {
      let key = traffic.nextKey()
      let start = ContinuousClock.now
      // A failed read counts as no reads at all, which ends the run.
      guard case .fresh? = try? records.read(key) else { return [] }
      waits.append((ContinuousClock.now - start).microseconds)
    }
    return waits
  }

  private func add(
    _ name: String, _ found: (span: Duration, waits: Samples), to section: inout Section
  ) {
    let waits = found.waits
    section.add(row: [
      name, found.span.milliseconds.figures, "\(waits.count)", waits.median.figures,
      waits.percentile(99).figures, waits.maximum.figures,
    ])
    section.add(Figure("longest read beside: \(name)", waits.maximum, "µs"))
  }
}
