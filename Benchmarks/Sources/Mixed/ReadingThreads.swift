internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// Threads that read from one store at once, and nothing else.
struct ReadingThreads {
  private static let threads = [1, 2, 8]

  private let place: Place
  private let rounds: Int
  private let span: Duration
  private let popularity: [Popularity]

  init(_ place: Place, isQuick: Bool) {
    self.place = place
    rounds = isQuick ? 1 : 9
    span = .milliseconds(isQuick ? 20 : 300)
    popularity = (0..<8).map { Popularity(records: place.count, stream: $0) }
  }

  /// One way to read in several threads at once.
  private struct Means {
    let name: String
    var isJudged = true
    /// Makes the reader of a thread, which returns whether it found a record.
    let reader: @Sendable () -> ((String) -> Bool)
  }

  func measure() async throws -> Section {
    let path = try place.copy("threads")
    let large = MemoryLimits(records: 400_000, bytes: 1 << 30)
    let warm = try Store(path: path, configuration: .withThreeStrategies(memory: large))
    let cold = try Store(path: path, configuration: .withThreeStrategies(memory: .none))
    let inMemory = try warm.collection("people", of: Person.self)
    for number in 0..<place.count { _ = try inMemory.read("user:\(number)") }
    let section = section([
      Self.floor(path), Self.store("memory", inMemory),
      Self.store("the file", try cold.collection("people", of: Person.self)),
    ])
    try await warm.close()
    try await cold.close()
    return section
  }

  private static func floor(_ path: String) -> Means {
    Means(name: "floor, a connection each", isJudged: false) {
      // A reader that cannot open it finds nothing, which ends the run.
      let table = try? RawTable(path: path, survivesPowerLoss: false)
      return { key in (try? table?.get(key)) != nil }
    }
  }

  private static func store(_ name: String, _ people: RecordCollection<Person>) -> Means {
    Means(name: name) {
      { key in
        // As above.
        if case .fresh? = try? people.read(key) { true } else { false }
      }
    }
  }

  private func section(_ means: [Means]) -> Section {
    var section = Section(
      "Reads of one store by several threads at once",
      columns: ["from where", "threads", "reads a second", "÷ one thread", "µs of a processor"])
    for (means, rates) in zip(means, rates(means)) {
      for (threads, rate) in zip(Self.threads, rates) {
        section.add(row: [
          means.name, "\(threads)", rate.reads.figures, (rate.reads / rates[0].reads).figures,
          rate.processorTime.figures,
        ])
        section.add(Figure("reads, \(means.name), \(threads) threads", rate.reads, "1/s"))
      }
      guard means.isJudged else { continue }
      let ratio = rates[1].reads / rates[0].reads
      section.judge("two threads ÷ one, from \(means.name)", ratio, atLeast: 1.8, "")
    }
    section.add(
      note: "what others leave of two processors limits all; the time of a processor that one read "
        + "takes depends on them far less, and tells what threads cost each other")
    return section
  }

  private struct Rate {
    /// Reads a second.
    let reads: Double
    /// Microseconds of a processor for each.
    let processorTime: Double
  }

  private func rates(_ means: [Means]) -> [[Rate]] {
    var rates = means.map { _ in [[Rate]](repeating: [], count: Self.threads.count) }
    for _ in 0..<rounds {
      for (position, means) in means.enumerated() {
        for (index, threads) in Self.threads.enumerated() {
          rates[position][index].append(rate(of: means.reader, threads: threads))
        }
      }
    }
    return rates.map { $0.map(Self.median) }
  }

  private static func median(_ rates: [Rate]) -> Rate {
    Rate(
      reads: Samples(rates.map(\.reads)).median,
      processorTime: Samples(rates.map(\.processorTime)).median)
  }

  private func rate(
    of reader: @escaping @Sendable () -> ((String) -> Bool), threads: Int
  ) -> Rate {
    let before = ProcessUsage.now.processorTime
    let start = ContinuousClock.now
    let counts = Threads.run(threads) { [span, popularity] thread in
      Self.reads(reader(), Traffic(popularity[thread]), for: span)
    }
    precondition(counts.allSatisfy { $0 > 0 }, "every thread reads")
    let count = Double(counts.reduce(0, +))
    return Rate(
      reads: count / ((ContinuousClock.now - start) / .seconds(1)),
      processorTime: (ProcessUsage.now.processorTime - before).microseconds / count)
  }

  private static func reads(
    _ reader: (String) -> Bool, _ traffic: Traffic, for span: Duration
  ) -> Int {
    var count = 0
    let start = ContinuousClock.now
    while ContinuousClock.now - start < span {
      for _ in 0..<200 {
        guard reader(traffic.nextKey()) else { return 0 }
      }
      count += 200
    }
    return count
  }
}
