import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// One life of a process: a store, and the work on it.
struct Life {
  let store: Store
  let records: RecordCollection<Int>
  let synchronizer: Synchronizer
  let awake: ManualClock

  init(_ number: Int, in world: World) throws {
    awake = ManualClock()
    var configuration = Configuration(reachability: world.reachability)
    configuration.clock = SimulatedClock(machine: world.machine, awake: awake)
    configuration.random = { Setting.chance }
    configuration.leaseDuration = Setting.lease
    configuration.allowedSkew = Setting.allowedSkew
    configuration.breaker = Setting.breaker
    configuration.taskClock = world.taskClock
    configuration.maximumReaders = 1
    store = try Store(path: world.folder.file("store.db"), configuration: configuration)
    var options = SyncOptions()
    options.concurrency = 2
    if let size = world.setting.largeValues {
      records = try store.collection(
        World.collection, codec: LargeCodec(threshold: size), policy: world.setting.policy)
      options.largeBody = size
      // Every attempt may take equally long.
      options.slowestUpload = nil
    } else {
      records = try store.collection(World.collection, of: Int.self, policy: world.setting.policy)
    }
    options.holding = Setting.holding
    options.settle = .zero
    synchronizer = Synchronizer(store, options: options)
    let source = world.source
    synchronizer.add(records, conflicts: world.setting.conflictPolicy) { previous in
      try await source.fetch(previous, by: number, isBySync: true)
    } push: { write in
      try await source.push(write, by: number, isBySync: true)
    }
  }
}
