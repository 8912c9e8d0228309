#if Fleet
  import FreshStore
  import Strategies

  /// Works on a store of a fleet on command: one command a line, answered by one, or by `failed:` and the error.
  ///
  /// | command | does | answers |
  /// | --- | --- | --- |
  /// | `get KEY VALUE [SECONDS]` | gets; a fetch brings the value, fresh for so long | `FleetHost.Got` |
  /// | `hold KEY VALUE` | the same; the fetch prints `fetching`, and waits for a line | the same |
  /// | `read KEY` | reads | `fresh VALUE`, `stale VALUE`, `unusable`, `missing` |
  /// | `mark KEY`, `tag TAG` | marks | `done` |
  /// | `take` | takes in missed marks, and tries again until that succeeds | `done` |
  /// | `reopen` | closes the store, and with it what is on its way, and opens it again | `done` |
  /// | `check` | checks the whole file | `sound` |
  /// | `crowd COUNT TASKS` | so many tasks get all of so many keys | `done ALONE` |
  /// | `churn COUNT NUMBER PROCESSES` | see `FleetChurn`; until another line | `stopped GETS MARKS FAILED` |
  /// | `audit COUNT` | gets all of so many keys | `sound`, or what is older than its mark |
  enum FleetLoop {
    static func run(_ host: FleetHost) async throws {
      let worker = try Worker(host)
      FleetWorker.say("ready")
      while let line = readLine() {
        do {
          FleetWorker.say(try await worker.perform(line.split(separator: " ").map(String.init)))
        } catch {
          FleetWorker.say("failed: \(error)")
        }
      }
      try await worker.store.close()
    }

    struct UnknownCommand: Error {}
    struct OutOfReach: Error {}
    struct WrongValue: Error {
      let got: FleetHost.Got
    }

    private final class Worker {
      let host: FleetHost
      private(set) var store: Store
      private(set) var values: RecordCollection<String>

      init(_ host: FleetHost) throws {
        self.host = host
        store = try host.open()
        values = try Self.values(of: store)
      }

      private static func values(of store: Store) throws -> RecordCollection<String> {
        var policy = Policy()
        policy.hardTimeout = .seconds(120)
        policy.waitingTimeout = .seconds(120)
        return try store.collection("values", of: String.self, policy: policy)
      }

      func perform(_ words: [String]) async throws -> String {
        func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }
        func number(_ index: Int) -> Int { Int(word(index)) ?? 1 }
        switch words.first {
        case "get":
          let (value, seconds) = (word(2), Int(word(3)))
          let expiry = seconds.map { Expiry.after(.seconds($0)) } ?? .never
          return "\(try await host.get(word(1), in: values, expiry: expiry) { value })"
        case "hold":
          let value = word(2)
          let got = try await host.get(word(1), in: values) {
            FleetWorker.say("fetching")
            _ = readLine()
            return value
          }
          return "\(got)"
        case "read":
          switch try values.read(word(1)) {
          case .fresh(let copy): return "fresh \(copy.value)"
          case .stale(let copy): return "stale \(copy.value)"
          case .unusable: return "unusable"
          case .missing: return "missing"
          }
        case "mark":
          try await values.markStale(word(1))
          return "done"
        case "tag":
          try await store.markStale(tag: word(1))
          return "done"
        case "take":
          try await takeIn()
          return "done"
        case "reopen":
          try await store.close()
          store = try host.open()
          values = try Self.values(of: store)
          return "done"
        case "check":
          let check = try await store.check()
          return check.isSound ? "sound" : "\(check.findings)"
        case "crowd": return try await crowd(of: number(2), getting: number(1))
        case "churn":
          let churn = FleetChurn(
            host: host, values: values, keys: number(1), number: number(2),
            processes: number(3))
          let work = Task.detached { try await churn.run() }
          _ = readLine()
          work.cancel()
          return try await work.value
        case "audit": return try await audit(number(1))
        default: throw UnknownCommand()
        }
      }

      private func takeIn() async throws {
        for _ in 0..<600 {
          do throws(StoreError) {
            return try await store.takeInFleetMarks()
          } catch {
            guard error.sharedTierFailure != nil else { throw error }
            // Nothing tells when a way carries again.
            try await Task.sleep(for: .milliseconds(50))
          }
        }
        throw OutOfReach()
      }

      private func crowd(of tasks: Int, getting keys: Int) async throws -> String {
        let (host, values) = (host, values)
        let alone = try await withThrowingTaskGroup(of: Int.self) { group in
          for task in 0..<tasks {
            group.addTask {
              var alone = 0
              for index in 0..<keys {
                // Each begins elsewhere.
                let key = "\((index + task * keys / tasks) % keys)"
                let got = try await host.get(key, in: values) { "value of \(key)" }
                guard got.value == "value of \(key)" else { throw WrongValue(got: got) }
                if got.isAlone { alone += 1 }
              }
              return alone
            }
          }
          return try await group.reduce(0, +)
        }
        return "done \(alone)"
      }

      private func audit(_ keys: Int) async throws -> String {
        let shelf = host.shelf
        for key in 0..<keys {
          let least = try shelf.number(at: .acknowledged(key))
          let got = try await host.get("\(key)", in: values) {
            "\(try shelf.number(at: .origin(key)))"
          }
          guard let value = Int64(got.value), value >= least else {
            return "\(key) is \(got.value) on \(host.name) after \(least) was marked"
          }
        }
        return "sound"
      }
    }
  }
#endif
