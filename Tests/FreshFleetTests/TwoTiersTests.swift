#if Fleet
  import FreshFleet
  import FreshStore
  import FreshStoreTesting
  import PostgreSQLServer
  import Testing

  /// The tier in memory, which the tests of stores use, and the one in PostgreSQL answer alike.
  @Suite(.needsPostgreSQL) struct TwoTiersTests {
    /// A result without what each tier draws for itself.
    private enum Outcome: Equatable {
      case found([UInt8]?, isAbsent: Bool, number: Int64, owner: String)
      case granted(number: Int64)
      case held(by: String)
      case paused(reason: String)

      init(_ result: SharedClaimResult) {
        self =
          switch result {
          case .found(let finding):
            .found(
              finding.record.value, isAbsent: finding.record.isAbsent, number: finding.number,
              owner: finding.owner)
          case .granted(let lease): .granted(number: lease.number)
          case .held(let owner, _): .held(by: owner)
          case .paused(_, let reason): .paused(reason: reason)
          }
      }
    }

    /// One thing of both tiers.
    private struct Pair<Thing> {
      let inMemory: Thing
      let inDatabase: Thing
    }

    private struct Run {
      let memory = InMemorySharedTier(now: { .zero })
      let fleet: TestFleet
      let database: FleetClient
      var random: any RandomNumberGenerator
      var leases: [Pair<SharedLease>] = []
      var editions: [Pair<Int64>] = []
      var positions: [Pair<SharedPosition>] = []

      private static let keys = ["a", "ab", "b", "ab\0", ""].flatMap { key in
        ["notes", "lists"].map { SharedKey($0, key) }
      }
      private static let tags: [[UInt8]] = [[], [0], [1, 2]]

      init(_ fleet: TestFleet, seed: UInt64) async throws {
        self.fleet = fleet
        database = try fleet.host()
        random = Sequence(state: seed)
        let first = try await memory.news(since: nil).position
        positions = [
          Pair(inMemory: first, inDatabase: try await database.news(since: nil).position)
        ]
      }

      private mutating func pick<Thing>(_ things: [Thing]) -> Thing? {
        things.isEmpty ? nil : things[Int.random(in: 0..<things.count, using: &random)]
      }

      private mutating func key() -> SharedKey { pick(Self.keys) ?? SharedKey("", "") }

      private mutating func duration() -> Duration {
        Bool.random(using: &random) ? .zero : .seconds(3600)
      }

      mutating func step() async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: try await claim()
        case 4..<7: try await land()
        case 7: try await release()
        case 8..<10: try await mark()
        case 10: try await news()
        default: try await extendOrTrim()
        }
      }

      private mutating func claim() async throws {
        var keys: Set<SharedKey> = []
        for _ in 0..<3 { keys.insert(key()) }
        let known = pick(editions)
        let (always, hurries) = (
          Int.random(in: 0..<6, using: &random) == 0, Bool.random(using: &random)
        )
        let takes = Int.random(in: 0..<4, using: &random) != 0
        let duration = duration()
        func claims(_ known: Int64?) -> [SharedClaim] {
          keys.map { key in
            SharedClaim(
              key, known: known, asksAlways: always, ignoresPause: hurries, takesLease: takes)
          }
        }
        let owner = "h\(Int.random(in: 0..<3, using: &random))"
        let one = try await memory.claim(
          claims(known?.inMemory), owner: owner, for: duration, since: nil
        ).value
        let other = try await database.claim(
          claims(known?.inDatabase), owner: owner, for: duration, since: nil
        ).value
        #expect(one.mapValues { Outcome($0) } == other.mapValues { Outcome($0) })
        for (key, result) in one {
          if case .granted(let lease) = result, case .granted(let pair) = other[key] {
            leases.append(Pair(inMemory: lease, inDatabase: pair))
          } else if case .found(let finding) = result, case .found(let pair) = other[key] {
            editions.append(Pair(inMemory: finding.edition, inDatabase: pair.edition))
          }
        }
      }

      private mutating func land() async throws {
        guard let lease = pick(leases) else { return }
        let isAbsent = Int.random(in: 0..<4, using: &random) == 0
        let lifetime: Duration? = Bool.random(using: &random) ? nil : duration()
        let record = SharedRecord(
          value: isAbsent ? nil : [UInt8.random(in: 0...255, using: &random)], isAbsent: isAbsent,
          tags: pick([[], [Self.tags[1]], Self.tags]) ?? [], lifetime: lifetime)
        let one = try await memory.land([(lease.inMemory, record)], since: nil).value
        let other = try await database.land([(lease.inDatabase, record)], since: nil).value
        #expect(one.isEmpty == other.isEmpty)
      }

      private mutating func release() async throws {
        guard let lease = pick(leases) else { return }
        let pause = Bool.random(using: &random) ? SharedPause(duration(), reason: "down") : nil
        try await memory.release([lease.inMemory], pausing: pause)
        try await database.release([lease.inDatabase], pausing: pause)
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        let keys = [key(), key()]
        try await memory.endPauses(of: keys)
        try await database.endPauses(of: keys)
      }

      private mutating func mark() async throws {
        let key = key()
        let scopes: [SharedMark.Scope] = [
          .key(key), .tag(pick(Self.tags) ?? []), .prefix(key.key, in: key.collection),
          .collection(key.collection), .all,
        ]
        let chosen = [pick(scopes), pick(scopes)].compactMap { $0 }
        let one = try await memory.mark(chosen, reason: "r", since: nil)
        let other = try await database.mark(chosen, reason: "r", since: nil)
        #expect(one.value == other.value)
        positions.append(
          Pair(inMemory: one.news.position, inDatabase: other.news.position))
      }

      private mutating func news() async throws {
        guard let position = pick(positions) else { return }
        let one = try await memory.news(since: position.inMemory)
        let other = try await database.news(since: position.inDatabase)
        #expect(one.marks?.map(\.scope) == other.marks?.map(\.scope))
        #expect(one.position.number == other.position.number)
        if case .suspect(let cause, _) = one, case .suspect(let otherCause, _) = other {
          #expect(cause == otherCause)
        }
      }

      private mutating func extendOrTrim() async throws {
        if let lease = pick(leases), Bool.random(using: &random) {
          let duration = duration()
          let one = try await memory.extend([lease.inMemory], for: duration)
          let other = try await database.extend([lease.inDatabase], for: duration)
          #expect(one.isEmpty == other.isEmpty)
        } else if Int.random(in: 0..<3, using: &random) == 0 {
          memory.trim(before: try await memory.news(since: nil).position.number)
          _ = try await fleet.administration.trim(olderThan: .zero)
        }
      }
    }

    /// The generator of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
    private struct Sequence: RandomNumberGenerator {
      var state: UInt64

      mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
      }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `any sequence of calls has the same answers`(_ seed: UInt64) async throws {
      var run = try await Run(try await TestFleet.make(), seed: seed)
      for _ in 0..<150 { try await run.step() }
    }
  }
#endif
