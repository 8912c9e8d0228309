import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// A client of the model: a store on a file that may be killed and opened again, and its books.
final class Device {
  /// One life of the process: a store and the work on it. Requests of an ended life may still be in
  /// flight, and wake up late.
  struct Life {
    let store: Store
    let notes: RecordCollection<[String]>
    let synchronizer: Synchronizer
  }

  let name: String
  let policy: DevicePolicy
  let account: Account
  let clock = ManualClock()
  let network: ModelNetwork
  let reachability = ScriptedReachability(.online)
  private let folder: TemporaryFolder
  private let seed: UInt64
  /// The failed attempts, or conflicts in a row, after which a write is parked.
  private let attempts: Int?
  private(set) var life: Life
  private var pastLives: [Life] = []
  /// The requests in flight, of all lives.
  var pushes: [Flight] = []
  var reads: [Flight] = []
  /// The writes that were handed out and are not pushed.
  private var inHand: [DueWrite] = []
  private let laws: BrokenLaws

  static let list = "all"
  private static let listExpiry = Expiry.after(.seconds(60))

  init(
    _ name: String, _ policy: DevicePolicy, _ network: ModelNetwork, _ laws: BrokenLaws,
    seed: UInt64, attempts: Int?
  ) throws {
    self.name = name
    self.policy = policy
    self.network = network
    self.laws = laws
    self.seed = seed
    self.attempts = attempts
    account = Account(name, policy, network.server, laws)
    folder = try TemporaryFolder()
    life = try Self.begin(folder, clock, reachability, policy, account, network, seed, attempts)
  }

  private static func conflicts(
    _ policy: DevicePolicy, _ account: Account
  ) -> ConflictPolicy<[String]> {
    policy.conflicts { resolution, key in account.note(resolution, of: key) }
  }

  private static func begin(
    _ folder: TemporaryFolder, _ clock: ManualClock, _ reachability: ScriptedReachability,
    _ policy: DevicePolicy, _ account: Account, _ network: ModelNetwork, _ seed: UInt64,
    _ attempts: Int?
  ) throws -> Life {
    var configuration = Configuration(reachability: reachability)
    configuration.clock = TimelessClock(manual: clock)
    configuration.reporter = account
    let chance = Double(seed % 100) / 100
    configuration.random = { chance }
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    var gate = Policy.offlineFirst.expiring(.after(.seconds(3600)))
    gate.maximumRetryPause = .seconds(60)
    gate.backgroundRefresh = .byCaller
    let notes = try store.collection("notes", of: [String].self, policy: gate)
    var options = SyncOptions()
    options.concurrency = 1
    options.maximumAttempts = attempts
    let synchronizer = Synchronizer(store, options: options)
    synchronizer.add(notes, conflicts: conflicts(policy, account)) { previous in
      try await network.fetch(previous, over: nil)
    } push: { write in
      try await network.push(write, from: account, over: nil)
    }
    synchronizer.follow(list, of: notes, policy: gate.expiring(listExpiry)) {
      try await network.list($0, over: nil)
    }
    return Life(store: store, notes: notes, synchronizer: synchronizer)
  }

  /// Kills the process, which releases nothing. Its requests in flight may still end.
  func die() async throws {
    pastLives.append(life)
    life = try Self.begin(folder, clock, reachability, policy, account, network, seed, attempts)
  }

  /// Ends the process in order.
  func restart() async throws {
    try await life.store.close()
    life = try Self.begin(folder, clock, reachability, policy, account, network, seed, attempts)
  }

  /// Ends all lives, and checks the whole file.
  func end() async throws -> CheckResult {
    for life in pastLives { try await life.store.close() }
    try await restart()
    let check = try await life.store.check()
    try await life.store.close()
    return check
  }

  // MARK: Work

  /// Has the store hand out writes.
  func claim(_ count: Int, holding: Duration) async throws -> [DueWrite] {
    let now = clock.reading()
    let due = try await life.store.dueWrites(limit: count, holding: holding)
    for write in due {
      let isBeingPushed = pushes.contains { flight in
        let time = Duration.milliseconds(now.sinceBoot - flight.began.sinceBoot)
        return flight.entry == write.entry.id && flight.began.boot == now.boot
          && time < life.notes.policy.hardTimeout
      }
      if isBeingPushed {
        laws.note("\(name): \(write.entry.key) was handed out while it was pushed")
      }
    }
    return due
  }

  /// Has the store hand out writes and pushes each of them separately; delayed pushes stay in
  /// flight.
  func push(_ count: Int, holding: Duration) async throws {
    for write in try await claim(count, holding: holding) {
      let flight = Flight(write.entry.id, at: clock.reading())
      let (notes, account, network) = (life.notes, account, network)
      let limits = PushLimits(attempts: attempts)
      let conflicts = policy.conflicts {
        account.note($0, of: $1)
      } afterwards: {
        try await network.rest(flight)
      }
      pushes.append(flight)
      Task {
        _ = await notes.push([write], conflicts: conflicts, limits: limits) {
          try await network.push($0, from: account, over: flight)
        }
        flight.end()
      }
      await flight.untilItRests()
    }
    forgetEnded()
  }

  /// Gives back writes that were handed out some time ago, and has other writes handed out.
  func giveBack() async throws {
    try await life.store.giveBack(inHand)
    inHand = try await claim(2, holding: .seconds(5))
  }

  /// Starts to fetch a record.
  func get(_ key: String) async {
    let (notes, network) = (life.notes, network)
    await read { flight in
      // The result is seen in the store.
      _ = try? await notes.get(key, policy: .sourceFirst.expiring(.after(.seconds(3600)))) {
        try await network.fetch($0, over: flight)
      }
    }
  }

  /// Starts to follow the list.
  func follow() async {
    let (notes, network) = (life.notes, network)
    let policy = notes.policy.expiring(Self.listExpiry)
    await read { flight in
      // The result is seen in the store.
      _ = try? await notes.follow(Self.list, policy: policy) {
        try await network.list($0, over: flight)
      }
    }
  }

  private func read(_ body: @escaping @Sendable (Flight) async -> Void) async {
    let flight = Flight(at: clock.reading())
    reads.append(flight)
    Task {
      await body(flight)
      flight.end()
    }
    await flight.untilItRests()
    forgetEnded()
  }

  func forgetEnded() {
    pushes.removeAll(where: \.hasEnded)
    reads.removeAll(where: \.hasEnded)
  }
}
