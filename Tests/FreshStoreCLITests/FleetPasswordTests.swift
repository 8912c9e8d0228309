#if CommandLine
  import Foundation
  import Testing

  /// Passwords of fleets where everybody can read them.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct FleetPasswordTests {
    @Test(arguments: [
      ["get", "k", "--fleet", "postgresql://u:hunter2@h/d", "--", "true"],
      ["get", "--fleet=postgresql://u:hunter2@h/d", "k", "--", "true"],
      ["get", "k", "--fleet", "postgresql://h/d?user=u&password=hunter2", "--", "true"],
      ["get", "k", "--fleet", "postgresql://h/d?%70assword=hunter2", "--", "true"],
      ["get", "k", "--fleet", "postgres://u:hun/ter2@h/d", "--", "true"],
      ["get", "k", "--fleet", "postgres://u:hunter2\u{301}@h/d", "--", "true"],
      ["get", "k", "--fleet", "host=h password=hunter2", "--", "true"],
      ["get", "k", "--fleet", "host=h sslpassword = 'hunter2'", "--", "true"],
      ["get", "k", "--fleet", "u:hunter2@h", "--", "true"],
      ["mark", "k", "--fleeet=postgresql://u:hunter2@h/d"],
      ["list", "--fleet=postgresql://u:hunter2@h/d"],
      ["explain", "k", "--fleet", "postgresql://u:hunter2@h/d"],
      ["doctor", "--fleet", "postgresql://u:hunter2@h/d"],
      ["sync", "run", "--once", "--fleet", "postgresql://u:hunter2@h/d"],
      ["fleet", "init", "postgresql://u:hunter2@h/d"],
      ["fleet", "status", "host=h", "password=hunter2"],
      ["fleet", "postgresql://u:hunter2@h/d"],
      ["--db", "x", "fleet", "trim", "--fleet", "postgresql://u:hunter2@h/d"],
    ])
    func `a password among the arguments is refused, and the ways to keep it are named`(
      arguments: [String]
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      for word in ["FRESHSTORE_FLEET", "~/.pgpass", "service"] {
        #expect(run.error.contains(word), "\(run.error)")
      }
      #expect(!run.error.contains("hunter2"), "\(run.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: playground.path).count == 1)
    }

    @Test func `what only looks like a password is none`() async throws {
      let playground = try Playground()
      for address in ["postgresql://u@h:5432,h2:5433/d", "host=::1 user=u@h", "service=fleet"] {
        let run = try await playground.runAlone([
          "remove", "k", "--db", playground.database, "--fleet", address,
        ])
        #expect(run.status == 0, "\(run.error)")
      }
      // A key is no address, and a command has its own arguments.
      let key = "postgresql://u:p@h/d"
      let run = try await playground.run("get", key, "--", "printf", "%s", "--fleet=\(key)")
      #expect(run.text == "--fleet=\(key)")
    }
  }
#endif
