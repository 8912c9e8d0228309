import FreshStore
import FreshSync
import Glibc
import Strategies

#if Sync
  import Logging
  import ServiceLifecycle
  import UnixSignals
#endif

/// A process that keeps the collection `values` of a store in step, as a service, until SIGTERM.
///
/// Each fetch prints `fetching KEY` and its start time. With `hold` a fetch never ends by itself; with
/// `network` the process has a network of its own (``IsolatedNetwork``), prints `offline` whenever it
/// is offline, and has a record due again then. With `push` it does something else
/// (`PushingWorker`).
@main
struct SyncWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: SyncWorker DATABASE [hold|network|push SERVER]")
      exit(64)
    }
    let mode = arguments.dropFirst(2).first
    #if HTTP
      if mode == "push" { return try await PushingWorker.run(arguments[1], arguments[3]) }
    #endif
    var configuration = Configuration(reachability: .fixed(.online))
    if mode == "network" {
      guard let monitor = await IsolatedNetwork.start() else {
        say("no network")
        return
      }
      configuration.reachability = monitor
    }
    configuration.leaseDuration = .milliseconds(600)
    let store = try Store(path: arguments[1], configuration: configuration)
    var options = SyncOptions()
    options.gracePeriod = .milliseconds(100)
    options.holding = .seconds(2)
    let synchronizer = Synchronizer(store, options: options)
    let values = try store.bytes("values")
    synchronizer.add(values) { previous in
      say("fetching \(previous.key) \(nanoseconds())")
      if mode == "hold" { try await Task.sleep(for: .seconds(3600)) }
      return .value(previous.value ?? [])
    }
    Task {
      for await status in synchronizer.statuses {
        guard case .offline = status.phase else { continue }
        try await values.put([0], for: "1", details: FetchDetails(expiry: .never))
        try await values.markStale("1")
        say("offline")
      }
    }
    #if Sync
      let group = ServiceGroup(
        services: [synchronizer], gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "sync") { _ in SwiftLogNoOpLogHandler() })
      try await group.run()
    #else
      try await synchronizer.run()
    #endif
    say("stopped")
    try await store.close()
  }

  static func say(_ words: String) {
    print(words)
    fflush(nil)
  }

  /// The monotonic clock, which all processes share.
  static func nanoseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
