import FreshStore
import FreshStoreTesting
import FreshSync
import Rules
import Strategies

/// One life of a process of a history: a store, its collections and its synchronizer.
struct HistoryLife {
  let store: Store
  let collections: [RecordCollection<Int>]
  let synchronizer: Synchronizer
  let awake = ManualClock()
  let reachability: ScriptedReachability

  static let holding = Duration.seconds(30)

  init(_ number: Int, in world: HistoryWorld) throws {
    let (setting, source) = (world.setting, world.source)
    reachability = ScriptedReachability(world.isOffline ? .offline("cut") : .online)
    var configuration = Configuration(reachability: reachability)
    configuration.clock = SimulatedClock(machine: world.machine(of: number), awake: awake)
    configuration.random = { Setting.chance }
    configuration.leaseDuration = Setting.lease
    configuration.breaker = Setting.breaker
    configuration.taskClock = world.taskClock
    configuration.maximumReaders = 1
    configuration.busyTimeout = .milliseconds(1)
    configuration.maximumValueSize = max(
      HistorySource.largestValue, (setting.largeValues ?? 0) + 1)
    if let fleet = world.fleet { fleet.admit(number, to: &configuration) }
    let host = setting.host(of: number)
    let store = try Store(path: world.file(of: host), configuration: configuration)
    self.store = store
    let names = Place.collections(hasTwins: setting.hasTwins)
    collections = try names.indices.map { collection in
      let (name, policy) = (names[collection], Self.policy(setting, collection))
      let records = try Self.records(name, policy, setting, in: store)
      guard setting.awaitsRule else { return records }
      return records.admitting(
        awaiting: AsyncRule(code: "refused") { _ in await source.allow(collection, by: number) })
    }
    var options = SyncOptions()
    (options.concurrency, options.concurrencyPerOrigin) = (3, 2)
    options.holding = Self.holding
    options.longestSleep = .seconds(20)
    if let size = setting.largeValues {
      // Of three places large bodies have one, for which they wait for as long as a source hangs.
      options.concurrency = 4
      options.largeBody = size
    }
    synchronizer = Synchronizer(store, options: options)
    for (collection, records) in collections.enumerated() {
      synchronizer.add(records, conflicts: Self.conflicts(source, collection, number)) { previous in
        let answers = try await source.fetch([previous], collection, by: number)
        guard let answer = answers[previous.key] else { throw SourceFailure() }
        return answer
      } push: {
        try await source.push($0, collection, by: number)
      }
      synchronizer.follow(Place.list, of: records) {
        try await source.list($0, collection, by: number)
      }
    }
  }

  private static func records(
    _ name: String, _ policy: Policy, _ setting: HistorySetting, in store: Store
  ) throws -> RecordCollection<Int> {
    if setting.isLoose == true {
      return try store.collection(name, codec: LooseCodec(), policy: policy)
    }
    guard let size = setting.largeValues else {
      return try store.collection(name, of: Int.self, policy: policy)
    }
    return try store.collection(name, codec: LargeCodec(threshold: size), policy: policy)
  }

  static func conflicts(
    _ source: HistorySource, _ collection: Int, _ number: Int
  ) -> ConflictPolicy<Int> {
    .merge { try await source.resolve($0, collection, by: number) }
  }

  private static func policy(_ setting: HistorySetting, _ collection: Int) -> Policy {
    var policy = Policy().expiring(.after(.seconds(10)))
    policy.negativeExpiry = .after(.seconds(5))
    policy.hardTimeout = .seconds(setting.timeout)
    policy.retryPause = .seconds(1)
    policy.maximumRetryPause = .seconds(8)
    if setting.isGuarded { policy.origin = origin(collection) }
    return policy
  }

  static func origin(_ collection: Int) -> Origin { Origin("origin \(collection)") }

  func read(_ record: Int) throws(StoreError) -> Reading<Int> {
    try collections[Place.collection(record)].read(Place.key(record))
  }
}
