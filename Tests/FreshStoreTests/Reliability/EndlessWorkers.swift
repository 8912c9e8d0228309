import ChildProcess
import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Processes that store, fetch, sweep and push on one file until they are killed, and the result.
struct EndlessWorkers {
  static let roles = ["writer", "refresher", "sweeper", "pusher"]

  /// The end of the power, which comes once.
  private final class Cut: Sendable {
    private let power: @Sendable () -> Void
    private let state = Atomic<Bool>(false)

    init(power: @escaping @Sendable () -> Void) {
      self.power = power
    }

    var hasBegun: Bool { state.load(ordering: .sequentiallyConsistent) }

    func make() {
      guard !state.exchange(true, ordering: .sequentiallyConsistent) else { return }
      power()
    }
  }

  let path: String
  private(set) var ledger = Ledger()
  private var round = 0

  init(on path: String) {
    self.path = path
  }

  private func open() throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.leaseDuration = .milliseconds(300)
    return try Store(path: path, configuration: configuration)
  }

  /// Starts one process of each role, lets each end after it has reported a number of things, and records
  /// the reports. Each is killed; before the first kill, `power` is cut, and affected processes end by
  /// themselves.
  mutating func run(
    words: ClosedRange<Int>, cutting power: (@Sendable () -> Void)? = nil
  ) async throws {
    round += 1
    let cut = power.map { Cut(power: $0) }
    let (path, first) = (path, round * 100_000)
    let lines = try await withThrowingTaskGroup(of: [String].self) { group in
      for role in Self.roles {
        let count = Int.random(in: words)
        group.addTask { try await Self.lines(of: role, path, first, until: count, cut) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for line in lines { ledger.note(line) }
  }

  /// The reports of a process.
  ///
  /// A report during the power cut is unreliable: the kernel may end a sync that is running then as
  /// if it had succeeded. A report from then on does not count as durable.
  private static func lines(
    of role: String, _ path: String, _ first: Int, until count: Int, _ cut: Cut?
  ) async throws -> [String] {
    let process = try ChildProcess(beside: "StoreWorker", [path, "endless", role, "\(first)"])
    var lines: [String] = []
    while let line = await process.nextLine() {
      let isLate = cut?.hasBegun ?? false
      lines.append(isLate ? line.replacingOccurrences(of: " durable", with: "") : line)
      guard lines.count == count else { continue }
      cut?.make()
      process.signal(SIGKILL)
    }
    let status = await process.end()
    // A process that ended by itself has failed, and printed the reason on standard error.
    if cut == nil { #expect(status == 128 + SIGKILL, "\(role)") }
    return lines
  }

  /// Opens the store: it is sound, it has all acknowledged changes, and the leases of the dead block no
  /// process.
  mutating func verify(after end: Ledger.End) async throws {
    let store = try open()
    #expect(store.health.movedAside.isEmpty)
    let check = try await store.check()
    #expect(check.isSound, "\(check.findings)")
    let values = try store.collection("values", of: Int.self)
    for key in ledger.keys {
      let found = try values.read(key).copy.map { "\($0.value)" } ?? "-"
      let complaint = ledger.complaint(key, found, after: end)
      #expect(complaint == nil)
    }
    let pair = try values.read(["writer/left", "writer/right"]).values.map { $0.copy?.value }
    #expect(Set(pair).count == 1, "half a transaction")
    if round.isMultiple(of: 5) {
      let answer = try await values.get("refresher/0", policy: .sourceFirst) { _ in .value(-1) }
      #expect(answer.storeFailure == nil)
      ledger.note("done refresher/0 \(answer.value) durable")
    }
    try await store.close()
  }
}
