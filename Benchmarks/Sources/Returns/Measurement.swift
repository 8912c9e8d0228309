internal import BenchmarkKit
internal import Foundation
internal import FreshHTTP
internal import FreshStore
internal import FreshSync
internal import Reachability
internal import Strategies
internal import Workload

/// Takes the network away from a synchronizer with local writes, and brings it back, again and again.
///
/// It sleeps in real time, because the timers of TCP and of neighbour discovery, which are
/// measured, run only in real time. The task that sees an event notes its moment. Looking for the
/// event later makes no time longer.
struct Measurement: Sendable {
  let variant: Variant
  let network: Network
  let arrivals: Arrivals
  /// The number of returns of each kind.
  let count: Int

  private static let longest: Int64 = 120_000_000_000

  /// The returns that were measured.
  func run() async throws -> [Return] {
    let monitor = RouteMonitor(target: Network.target)
    let place = try await Place(records: 0)
    let store = try Store(
      path: try place.copy("returns"), configuration: Configuration(reachability: monitor))
    let source = try HTTPSource()
    let policy = try Policy.offlineFirst.origin(HTTPSource.origin(of: Network.url))
    let notes = try store.bytes("notes", policy: policy)
    let synchronizer = Synchronizer(store)
    let arrivals = arrivals
    synchronizer.add(notes) { previous in
      try await source.fetch("\(Network.url)/\(previous.key)", previous: previous)
    } push: { write in
      arrivals.push.note()
      arrivals.underWay.add(1)
      defer { arrivals.underWay.add(-1) }
      return try await source.push(write, to: "\(Network.url)/\(write.key)")
    }
    let watching = Task {
      for await state in monitor.changes(settle: .zero) where !state.isProvablyOffline {
        arrivals.change.note()
      }
    }
    let running = Task { try await synchronizer.run() }
    var returns: [Return] = []
    for number in 0..<count {
      for kind in Return.Kind.allCases {
        var attempt = 0
        while true {
          let name = "\(kind == .spaced ? "s" : "b")\(number)-\(attempt)"
          if let found = try await measure(kind, number, name, notes) {
            returns.append(found)
            break
          }
          attempt += 1
        }
      }
    }
    await synchronizer.stop()
    try await running.value
    watching.cancel()
    await source.close()
    try await store.close()
    try place.remove()
    return returns
  }

  /// `nil` when all was sent in a moment at which a flapping network was there: then nothing is left to be sent.
  private func measure(
    _ kind: Return.Kind, _ number: Int, _ name: String, _ notes: RecordCollection<[UInt8]>
  ) async throws -> Return? {
    let wasBusy = !number.isMultiple(of: 2)
    if wasBusy { try await write("\(name)-before", to: notes) }
    try await Aside.run { [network, variant] in try network.lose(variant) }
    try await write("\(name)-meanwhile", to: notes)
    let (returned, neighbour, underWay, before) = try await Aside.run { [self] in
      try stayAway(kind, number)
      let neighbour = try network.neighbour()
      let before = try KernelCounters.now()
      let underWay = arrivals.underWay.count
      arrivals.begin()
      try network.restore(variant)
      return (Moment.now, neighbour, underWay, before)
    }
    guard let request = try await arrival(of: notes) else { return nil }
    let push = arrivals.push.found.flatMap { $0 <= request ? $0 : nil }
    let after = try KernelCounters.now()
    let result = Return(
      kind: kind, wasBusy: wasBusy, change: time(of: arrivals.change.found, since: returned),
      push: time(of: push, since: returned),
      connection: time(of: arrivals.connection.found, since: returned),
      request: time(of: request, since: returned) ?? 0, neighbour: neighbour,
      segmentsAgain: after.segments - before.segments,
      connectsAgain: after.connects - before.connects)
    try await untilSent(by: notes)
    return result
  }

  /// Local writes, each of a record of its own.
  private func write(_ name: String, to notes: RecordCollection<[UInt8]>) async throws {
    for number in 0..<4 {
      try await notes.write(Array("a note".utf8), for: "\(name)-\(number)")
    }
  }

  /// The network is away now; it still is, or is again, when this returns.
  private func stayAway(_ kind: Return.Kind, _ number: Int) throws {
    switch kind {
    case .spaced: Thread.sleep(forTimeInterval: 2 + 3 * Double(number % 10) / 9)
    case .bursty:
      for _ in 0..<4 {
        Thread.sleep(forTimeInterval: 0.03)
        try network.restore(variant)
        Thread.sleep(forTimeInterval: 0.03)
        try network.lose(variant)
      }
      Thread.sleep(forTimeInterval: 0.03)
    }
  }

  /// The moment at which the first bytes of a request are at the origin; `nil` when nothing was left to be sent.
  private func arrival(of notes: RecordCollection<[UInt8]>) async throws -> Int64? {
    let start = Moment.now
    while true {
      let isAllSent = try notes.store.outbox().isEmpty
      if let found = arrivals.request.found { return found }
      if isAllSent { return nil }
      guard Moment.now - start < Self.longest else {
        throw BenchmarkFailure(words: "nothing was sent within two minutes")
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// The change is made some moments before the call returns that makes it: what is noticed by then took no
  /// time.
  private func time(of moment: Int64?, since returned: Int64) -> Double? {
    moment.map { max(0, Double($0 - returned) / 1_000_000) }
  }

  private func untilSent(by notes: RecordCollection<[UInt8]>) async throws {
    let start = Moment.now
    while try !notes.store.outbox().isEmpty {
      guard Moment.now - start < Self.longest else {
        throw BenchmarkFailure(words: "the local writes were not sent within two minutes")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    // Lets the sent writes settle, and the connections become idle.
    try await Task.sleep(for: .milliseconds(300))
  }
}
