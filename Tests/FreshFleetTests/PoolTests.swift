#if Fleet
  @testable import FreshFleet
  import FreshStore
  import Platform
  import PostgreSQLServer
  import Testing

  /// How calls are handed to connections.
  @Suite(.needsPostgreSQL, .timeLimit(.minutes(3))) struct PoolTests {
    private func pool() throws -> ConnectionPool {
      try ConnectionPool(PostgresAddress("host=/nonexistent"), FleetConfiguration())
    }

    private func call() -> Call { Call([], deadline: .now + .seconds(60)) }

    @Test func `a session that was woken for calls that have failed ends`() async throws {
      let session = try Session(pool: try pool(), lane: .questions)
      session.signal.wake()
      await withCheckedContinuation { continuation in
        do {
          try DetachedThread.start {
            session.run()
            continuation.resume()
          }
        } catch {
          Issue.record(error)
          continuation.resume()
        }
      }
    }

    @Test func `of the calls of a round trip only the first tells of the tier`() throws {
      let pool = try pool()
      var lane = LaneState(sessions: 1)
      let calls = [call(), call(), call()]
      for call in calls { _ = lane.add(call, isCrowded: false) }
      _ = lane.take(for: try Session(pool: pool, lane: .questions))
      #expect(calls.map { lane.isTelling($0) } == [true, false, false])
    }

    @Test func `a call that no session has taken tells of the tier unless others are answered`() {
      var lane = LaneState(sessions: 1)
      let call = call()
      _ = lane.add(call, isCrowded: false)
      #expect(lane.isTelling(call))
      lane.noteAnswer()
      #expect(!lane.isTelling(call))
    }

    @Test func `a call that no session takes tells nothing where connections are few`()
      async throws
    {
      let pool = try pool()
      pool.noteConnection(in: .marks, isOpen: true)
      _ = pool.passOn([], of: .questions)
      for _ in 0..<FleetConfiguration().failuresToOpen {
        await #expect(throws: SharedTierError.self) {
          _ = try await pool.run([], within: .milliseconds(1))
        }
      }
      #expect(pool.outages == 0)
      // Nor does it stay in the lane of the others.
      let calls = pool.work(for: try Session(pool: pool, lane: .marks))
      #expect(calls?.isEmpty == true)
    }

    @Test func `a call tells nothing while others are answered`() throws {
      let pool = try pool()
      var lane = LaneState(sessions: 2)
      let call = call()
      _ = lane.add(call, isCrowded: false)
      _ = lane.take(for: try Session(pool: pool, lane: .questions))
      lane.noteAnswer()
      #expect(!lane.isTelling(call))
    }

    @Test(arguments: [(SharedTierError.Code.noRights, true), (.unreachable, false)])
    func `the database's clock is left to others where the user has no right to note it`(
      code: SharedTierError.Code, isLeft: Bool
    ) throws {
      let pool = try pool()
      let call = Call([], deadline: .now + .seconds(60), whenRefused: { pool.leaveClock() })
      call.finish(.failure(SharedTierError(code, "it fails")))
      #expect(pool.mayNoteClock() != isLeft)
    }

    @Test func `a call whose caller has left is not sent`() {
      let (call, other) = (call(), call())
      call.finish(.failure(SharedTierError(.cancelled, "")))
      #expect(!call.beginSending())
      #expect(other.beginSending())
    }

    @Test func `marks that wait for each other hold up no other call`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host {
        $0.markLimit = .milliseconds(300)
        $0.connections = 1
      }
      let key = SharedKey("notes", "1")
      // The first one opens a connection, which may take longer.
      while await failure({ () async throws(SharedTierError) in
        _ = try await host.mark([.all], reason: "", since: nil)
      }) != nil {}
      try await host.fetch(key, SharedRecord(value: [1]))
      try await fleet.server.hold(
        fleet.database, "UPDATE freshstore.counter SET oldest = oldest", database: fleet.database)
      let codes = await withTaskGroup(of: SharedTierError.Code?.self) { group in
        for _ in 0..<100 {
          group.addTask {
            await failure { () async throws(SharedTierError) in
              _ = try await host.mark([.all], reason: "", since: nil)
            }?.code
          }
        }
        for _ in 0..<10 {
          // An error is as wrong as another answer.
          guard case .found = try? await host.claim(key) else {
            Issue.record("not found")
            continue
          }
        }
        return await group.reduce(into: [SharedTierError.Code?]()) { $0.append($1) }
      }
      #expect(codes == Array(repeating: .slow, count: 100))
      #expect(host.reach == .reached)
      try await fleet.server.release(fleet.database, database: fleet.database)
    }

    @Test func `a mark that waits for its turn does not put the tier out of reach`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host {
        $0.markLimit = .milliseconds(300)
        $0.failuresToOpen = 1
      }
      // The first one opens a connection, which may take longer.
      while await failure({ () async throws(SharedTierError) in
        _ = try await host.mark([.all], reason: "", since: nil)
      }) != nil {}
      try await fleet.server.hold(
        fleet.database, "UPDATE freshstore.counter SET oldest = oldest", database: fleet.database)
      for _ in 0..<3 {
        let error = await failure { () async throws(SharedTierError) in
          _ = try await host.mark([.all], reason: "", since: nil)
        }
        #expect(error?.code == .slow)
      }
      _ = try await host.position()
      #expect(host.reach == .reached && host.outages == 0)
      try await fleet.server.release(fleet.database, database: fleet.database)
    }

    @Test func `a full disk fails its call, and the tier stays in reach`() async throws {
      let fleet = try await TestFleet.make()
      try await fleet.sql(
        """
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON freshstore.mark EXECUTE FUNCTION full_disk()
        """)
      let host = try fleet.host { $0.failuresToOpen = 1 }
      for _ in 0..<3 {
        let error = await failure { () async throws(SharedTierError) in
          _ = try await host.mark([.all], reason: "", since: nil)
        }
        #expect(error?.code == .full)
        #expect(host.reach == .reached && host.outages == 0)
      }
      _ = try await host.lease(SharedKey("notes", "1"))
    }

    @Test func `a landing may take as long as a mark`() async throws {
      let fleet = try await TestFleet.make()
      let key = SharedKey("notes", "1")
      let host = try fleet.host {
        $0.limit = .milliseconds(300)
        $0.failuresToOpen = 100
      }
      // The first ones open the connections, which may take longer.
      while await failure({ () async throws(SharedTierError) in _ = try await host.position() })
        != nil
      {}
      let lease = try await fleet.host().lease(key)
      try await fleet.server.hold(
        fleet.database, "SELECT FROM freshstore.lease FOR UPDATE", database: fleet.database)
      let landing = Task {
        try await host.land([(lease, SharedRecord(value: [1]))], since: nil).value
      }
      try await fleet.untilBlocked()
      // A question that begins later has its whole limit, and no answer.
      let error = await failure { () async throws(SharedTierError) in
        _ = try await host.extend([lease], for: .seconds(60))
      }
      #expect(error?.code == .slow)
      try await fleet.server.release(fleet.database, database: fleet.database)
      #expect(try await landing.value == [lease])
    }

    @Test func `a user without rights for one kind of call keeps the others`() async throws {
      let fleet = try await TestFleet.make()
      let name = "u" + fleet.database
      try await fleet.sql(
        """
        CREATE ROLE \(name) LOGIN;
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT SELECT ON ALL TABLES IN SCHEMA freshstore TO \(name);
        GRANT INSERT, UPDATE, DELETE ON freshstore.lease TO \(name)
        """)
      let host = try fleet.host(
        address: fleet.server.address(user: name, database: fleet.database))
      for _ in 0..<3 {
        let error = await failure { () async throws(SharedTierError) in
          _ = try await host.mark([.all], reason: "", since: nil)
        }
        #expect(error?.code == .noRights)
      }
      _ = try await host.lease(SharedKey("notes", "1"))
    }
  }
#endif
