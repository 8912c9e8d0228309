#if Fleet
  import Foundation
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct AddressTests {
    private static let word = "hunter2%"

    @Test(arguments: [
      "postgresql://fleet:hunter2%@host/db", "postgresql://fleet:hunter2%zz@host/db",
      "host=a password=hunter2% hunter2", "postgres://[::1/hunter2", "password='hunter2",
      "postgresql://host/db?hunter2=1", "host=a\0password=hunter2",
      "postgresql://fleet:hun/hunter2@host/db", "postgresql://fleet:hunter2/x@host/db",
      "postgresql://fleet:80/hunter2@host", "postgresql://fleet:80/hunter2?user=x@host",
      "postgresql://fleet:p@hunter2@host/db", "postgresql://fleet:hunter2/x", "fleet:hunter2@host",
      "host=fleet:hunter2@host", "host=a dbname=hunter2@host", "host=a port=hunter2",
      "host=a,b port=5432,hunter2", "host=a port=65536 password=hunter2",
      "dbname='host=a password=hunter2'",
    ])
    func `an address that is not understood is refused without its secrets`(
      _ address: String
    ) throws {
      let error = #expect(throws: SharedTierError.self) { _ = try FleetClient(address) }
      #expect(error?.code == .invalidAddress)
      #expect(error?.description.contains("hunter2") == false)
    }

    @Test(arguments: [
      "postgresql://fleet:hunter2@db.example:5433/shop?sslpassword=hunter2",
      "postgresql://db.example:5433/shop?user=fleet&password=hunter2",
      "postgresql://db.example:5433/shop?user=fleet&password=%68unter2",
      "postgresql://fleet:%68%75nter2@db.example:5433/shop",
      "host=db.example port=5433 dbname=shop user=fleet password='hunter2'",
    ])
    func `whoever prints an address, or what holds it, sees no secrets`(
      _ address: String
    ) throws {
      let client = try FleetClient(address)
      #expect(client.addressDescription == "db.example:5433/shop")
      let administration = try FleetAdministration(address)
      var words = "\(client) \(administration) \(String(reflecting: administration))"
      dump(client, to: &words)
      dump(administration, to: &words)
      #expect(!words.contains("hunter2"))
    }

    @Test func `several hosts may have ports of their own, or none`() throws {
      let client = try FleetClient("postgresql://a:5433,b,[::1]:5434/shop")
      #expect(client.addressDescription == "a,b,::1:5433,,5434/shop")
    }

    @Test func `the right password is let in`() async throws {
      let fleet = try await TestFleet.make()
      let uri = fleet.server.uri(
        password: PostgreSQLServer.password, database: fleet.database)
      _ = try await fleet.host(address: uri).position()
    }

    @Test(arguments: ["wrong", "s3cret", ""])
    func `a wrong password is refused and not shown`(_ password: String) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host(
        address: fleet.server.uri(password: password, database: fleet.database))
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .refused)
      #expect(password.isEmpty || error?.description.contains(password) == false)
    }

    @Test func `a password file is read`() async throws {
      let fleet = try await TestFleet.make()
      let file = fleet.server.folder + "/passwords-" + fleet.database
      try Data("127.0.0.1:*:*:postgres:\(PostgreSQLServer.password)\n".utf8).write(
        to: URL(fileURLWithPath: file))
      unsafe chmod(file, 0o600)
      let address =
        "host=127.0.0.1 port=\(fleet.server.port) user=postgres dbname=\(fleet.database) passfile=\(file)"
      _ = try await fleet.host(address: address).position()
    }

    @Test func `a server without TLS is refused where TLS is asked for`() async throws {
      let fleet = try await TestFleet.make()
      let uri = fleet.server.uri(password: PostgreSQLServer.password, database: fleet.database)
      let host = try fleet.host(address: uri + "?sslmode=require")
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .refused)
    }

    @Test func `an unknown database is refused`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host(address: fleet.server.address(database: "nowhere"))
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .refused)
    }

    @Test func `an address of the web is told as one`() throws {
      let error = #expect(throws: SharedTierError.self) { _ = try FleetClient("https://host/db") }
      #expect(error?.code == .invalidAddress)
      #expect(error?.message.contains("web server") == true)
    }

    @Test func `a service that is not defined is told as a wrong address`() async throws {
      let client = try FleetAdministration("service=no_such_service")
      let error = await failure { () async throws(SharedTierError) in
        _ = try await client.status()
      }
      #expect(error?.code == .invalidAddress)
      #expect(error?.message.contains("pg_service.conf") == true)
    }

    @Test func `of several hosts that fail each one is told`() async throws {
      let client = try FleetAdministration(
        "host=/nonexistent,/neither port=1,2 dbname=a user=b")
      let error = await failure { () async throws(SharedTierError) in
        _ = try await client.status()
      }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("/nonexistent") == true)
      #expect(error?.message.contains("/neither") == true)
      #expect(error?.message.contains("\t") == false)
    }

    @Test func `a server that is not there is unreachable`() async throws {
      let client = try FleetClient("host=/nonexistent dbname=a user=b")
      let error = await failure { () async throws(SharedTierError) in
        _ = try await client.news(since: nil)
      }
      #expect(error?.code == .unreachable || error?.code == .slow)
    }

    @Test func `the first host that can be written is taken`() async throws {
      let fleet = try await TestFleet.make()
      let readable = try await TestFleet.make()
      try await readable.sql(
        "ALTER ROLE postgres IN DATABASE \(fleet.database) SET statement_timeout = 0")
      let address =
        "host=/nonexistent,\(fleet.server.folder) port=5432,\(fleet.server.port) user=postgres "
        + "dbname=\(fleet.database)"
      _ = try await fleet.host(address: address).position()
    }
  }
#endif
