#if Fleet
  @testable import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// Hosts that are told of marks, and those that are not.
  @Suite(.needsPostgreSQL, .timeLimit(.minutes(3))) struct AnnouncementTests {
    @Test(arguments: [true, false])
    func `a mark is announced to other hosts`(listens: Bool) async throws {
      let fleet = try await TestFleet.make()
      let (host, other) = (try fleet.host(), try fleet.host { $0.listens = listens })
      let start = try await other.position()
      var announcements = other.announcements().makeAsyncIterator()
      _ = try await host.mark([.all], reason: "", since: nil)
      // The first announcement may be that the tier is in reach.
      while try await other.news(since: start).marks?.isEmpty == true {
        _ = await announcements.next()
      }
    }

    @Test func `a host that listens asks all the same for what it was not told of`() async throws {
      let fleet = try await TestFleet.make()
      let other = try fleet.host()
      let start = try await other.position()
      var announcements = other.announcements().makeAsyncIterator()
      // At once, and in reach.
      for _ in 0..<2 { _ = await announcements.next() }
      try await fleet.sql(
        """
        UPDATE freshstore.counter SET number = 2;
        INSERT INTO freshstore.mark VALUES (2, 7, 4, '', '', '')
        """)
      while try await other.news(since: start).marks?.isEmpty == true {
        _ = await announcements.next()
      }
      // Again and again.
      for _ in 0..<2 { _ = await announcements.next() }
    }

    @Test func `a host without a place for a connection that listens asks, too`() async throws {
      let fleet = try await TestFleet.make()
      let name = "u" + fleet.database
      try await fleet.sql(
        """
        CREATE ROLE \(name) LOGIN CONNECTION LIMIT 1;
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT ALL ON ALL TABLES IN SCHEMA freshstore TO \(name)
        """)
      let host = try fleet.host(
        address: fleet.server.address(user: name, database: fleet.database)
      ) { $0.connections = 1 }
      _ = try await host.position()
      var announcements = host.announcements().makeAsyncIterator()
      for _ in 0..<3 { _ = await announcements.next() }
      #expect(host.reach == .reached)
    }

    /// True when the work has sent a notification, which has come by the time it returns.
    private func listening(to fleet: TestFleet, _ body: () async throws -> Void) async throws
      -> Bool
    {
      let connection = try PostgresConnection.open(
        PostgresAddress(fleet.address), limit: .seconds(20), stop: { false })
      _ = try connection.run(
        [Step(Statement("test_listen", "LISTEN freshstore_mark"))], within: .seconds(20))
      try await body()
      _ = Waiting.wait(
        for: [Waiting.Interest(descriptor: connection.socket)], until: .now + .seconds(20))
      try connection.readIdle()
      return connection.takeNotifications()
    }

    @Test func `the first call of a host may be a mark, and tells`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let isTold = try await listening(to: fleet) {
        _ = try await host.mark([.all], reason: "", since: nil)
      }
      #expect(isTold)
    }

    @Test func `a mark is made also when there is no place for its notification`() async throws {
      let fleet = try await TestFleet.make()
      // The first commit of a mark fails as with a full queue.
      try await fleet.sql(
        """
        CREATE SEQUENCE public.commits;
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('public.commits') = 1 THEN
            RAISE 'too many notifications in the NOTIFY queue' USING ERRCODE = '54000';
          END IF;
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON freshstore.mark
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse()
        """)
      let host = try fleet.host()
      let start = try await host.position()
      let answer = try await host.mark([.all], reason: "", since: start)
      #expect(answer.news.marks?.count == 1)
      #expect(try await host.news(since: start).marks?.count == 1)
    }
  }
#endif
