#if HTTP
  import FreshHTTP
  import FreshStore
  import FreshSync
  import Strategies

  /// Pushes the local writes of the collection `values` to an HTTP server, until it is killed: each
  /// value to an address of its own, at most four at once.
  ///
  /// The claims of a killed process expire soon.
  enum PushingWorker {
    static func run(_ path: String, _ server: String) async throws {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.leaseDuration = .milliseconds(100)
      let store = try Store(path: path, configuration: configuration)
      let source = try HTTPSource()
      var policy = Policy.offlineFirst
      policy.hardTimeout = .milliseconds(500)
      policy.retryPause = .milliseconds(1)
      policy.maximumRetryPause = .milliseconds(50)
      let values = try store.bytes("values", policy: policy)
      var options = SyncOptions()
      options.holding = .milliseconds(600)
      let synchronizer = Synchronizer(store, options: options)
      synchronizer.add(values) { previous in
        try await source.fetch("\(server)/\(previous.key)", previous: previous)
      } push: { write in
        try await source.push(write, to: "\(server)/\(write.key)")
      }
      SyncWorker.say("pushing")
      try await synchronizer.run()
    }
  }
#endif
