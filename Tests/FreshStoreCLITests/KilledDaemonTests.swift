#if CommandLine
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Testing

  /// The daemon itself, killed and restarted while it sends and while others write.
  @Suite(.serialized) struct KilledDaemonTests {
    private static let kills = 25
    private static let keys = 1...20
    private static let writesPerRound = 8
    private static let online = ["FRESHSTORE_REACHABILITY": "online"]

    /// The local writes that were acknowledged, by path, in their order.
    private actor Writer {
      private let values: RecordCollection<[UInt8]>
      private let server: OriginServer
      private(set) var written: [String: [String]] = [:]

      init(_ values: RecordCollection<[UInt8]>, _ server: OriginServer) {
        self.values = values
        self.server = server
      }

      /// Writes the next value of a key, by the library or by the command.
      func write(_ key: Int, by command: Playground? = nil) async throws {
        let (path, url) = ("/\(key)", server.url("/\(key)"))
        let value = "\((written[path] ?? []).count + 1)"
        if let command {
          #expect(try await command.run("write", url, input: Array(value.utf8)).status == 0)
        } else {
          try await values.write(
            Array(value.utf8), for: url, options: WriteOptions(address: url))
        }
        written[path, default: []].append(value)
      }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a daemon killed repeatedly sends every write once, in order, and blocks none`()
      async throws
    {
      let (playground, origin) = (try Playground(), RememberingOrigin())
      let server = try await OriginServer.start { origin.answer($0) }
      let store = try Store(path: playground.database)
      let writer = Writer(try store.bytes("http"), server)
      for key in Self.keys { for _ in 1...5 { try await writer.write(key) } }

      var random = SeededGenerator(seed: 2026)
      for round in 1...Self.kills {
        let arrival = origin.arrival(
          ofRequest: .random(in: 1...Self.writesPerRound, using: &random),
          isAnswered: .random(using: &random))
        let keys = (1...Self.writesPerRound).compactMap { _ in
          Self.keys.randomElement(using: &random)
        }
        let daemon = try await playground.run(
          ["sync", "run", "--db", playground.database], environment: Self.online
        ) { process in
          for (place, key) in keys.enumerated() {
            try await writer.write(key, by: place == 0 && round % 5 == 0 ? playground : nil)
          }
          await arrival.fired()
          kill(process, SIGKILL)
        }
        #expect(daemon.status == -SIGKILL, "\(daemon.error)")
      }

      // Nothing is waited for: the writes that the killed daemons had claimed must be available at once.
      let left = try store.outbox().count
      let last = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database, "--json"], environment: Self.online)
      #expect(last.status == 0, "\(last.error)")
      #expect(try last.object["pushed"] as? Int == left)
      #expect(try store.outbox().isEmpty)
      #expect(await writer.written == origin.applied)
      #expect(origin.repeats > 0)
      for (path, values) in origin.applied {
        let copy = try store.bytes("http").read(server.url(path)).copy
        #expect(copy?.value == values.last.map { Array($0.utf8) })
      }
      try await store.close()
      await server.stop()
      #expect(try await playground.run("check").status == 0)
    }
  }
#endif
