#if CommandLine
  import Foundation
  import PostgreSQLServer
  import Testing

  /// The command shows the state of a fleet, and takes records from it without a source.
  @Suite(.serialized, .timeLimit(.minutes(3)), .needsPostgreSQL) struct FleetTellingTests {
    @Test func `explain says that a get would take what the fleet has`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      // Without a store, and with one that has met the fleet.
      for isThere in [false, true] {
        if isThere {
          _ = try await fleet.run(on: "b.db", ["get", "other", "--", "printf", "v"])
        }
        let run = try await fleet.run(on: "b.db", ["explain", "k", "--json"])
        #expect(run.status == 0, "\(run.error)")
        #expect(try run.object["action"] as? String == "take-from-fleet")
        #expect((try run.object["fleet"] as? [String: Any])?["from"] is String)
        let words = try await fleet.run(on: "b.db", ["explain", "k"])
        #expect(words.text.contains("has brought to the fleet"), "\(words.text)")
        #expect(try await fleet.run(on: "b.db", ["explain", "none"]).status == 4)
      }
      // A host that has not joined treats its own copy as stale.
      #expect(try await fleet.get(on: "c.db", fleet: "").status == 0)
      let alone = try await fleet.run(on: "c.db", ["explain", "k", "--json"]).object
      #expect(["fetch", "take-from-fleet"].contains(alone["action"] as? String))
      let unknown = try #require((alone["fleet"] as? [String: Any])?["missingMarks"])
      #expect(unknown is NSNull)
    }

    @Test(arguments: ["a new store", "one that is there"])
    func `a key without a command is taken from the fleet`(_ store: String) async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      if store == "one that is there" {
        _ = try await fleet.run(on: "b.db", ["get", "other", "--", "printf", "v"])
      }
      let run = try await fleet.run(on: "b.db", ["get", "k"])
      #expect(run.status == 0, "\(run.error)")
      #expect(run.text == "value\n")
      #expect(try await fleet.run(on: "b.db", ["get", "none"]).status == 4)
      #expect(try await fleet.sql("SELECT count(*) FROM freshstore.lease") == ["0"])
    }

    @Test func `a large value stays with its host, which says so`() async throws {
      let fleet = try await CommandFleet.make()
      let run = try await fleet.run(
        on: "a.db", ["get", "k", "--verbose", "--", "head", "-c", "300000", "/dev/zero"])
      #expect(run.status == 0)
      #expect(run.error.contains("the fleet shares no more than 256 KiB"), "\(run.error)")
    }

    @Test func `a store of a fleet that is not named is told so`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      let mark = try await fleet.run(on: "a.db", ["mark", "k"], fleet: "")
      #expect(mark.status == 0)
      #expect(mark.error.contains("the other hosts do not hear of the mark"), "\(mark.error)")
      let doctor = try DoctorReport(
        await fleet.run(on: "a.db", ["doctor", "127.0.0.1", "--json"], fleet: ""))
      #expect(doctor.level("fleet") == "warning")
      let meant = try await fleet.run(on: "a.db", ["mark", "k", "--fleet", ""], fleet: "")
      #expect(meant.error.isEmpty, "\(meant.error)")
    }

    @Test func `a removal that marks says so, also of what is not here`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      let words = try await fleet.run(on: "a.db", ["remove", "k", "--mark"])
      #expect(words.text == "removed 1 record, marked for all hosts of the fleet\n")
      let run = try await fleet.run(on: "a.db", ["remove", "k", "--mark", "--json"])
      #expect((try run.object["fleet"] as? [String: Any])?["isMarked"] as? Bool == true)
      let all = try await fleet.run(on: "b.db", ["remove", "--all", "--mark"])
      #expect(all.status == 4)
      #expect(all.error.contains("--collection"), "\(all.error)")
    }

    @Test func `a host's part is shown while its fleet is out of reach`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      try await fleet.keepMark(of: "first", on: "a.db")
      let words = try await fleet.run(
        on: "a.db", ["fleet", "status"], fleet: CommandFleet.nowhere)
      #expect(words.status == 7)
      for word in ["the marks up to 1", "its last word", "still to be delivered: 1"] {
        #expect(words.text.contains(word), "\(words.text)")
      }
      let run = try await fleet.run(
        on: "a.db", ["fleet", "status", "--json"], fleet: CommandFleet.nowhere)
      #expect(run.status == 7)
      #expect((try run.object["error"] as? [String: Any])?["code"] as? String == "unreachable")
      #expect((try run.object["host"] as? [String: Any])?["keptMarks"] as? Int == 1)
    }

    @Test func `marks that are kept are listed`() async throws {
      let fleet = try await CommandFleet.make()
      try await fleet.keepMark(of: "first", on: "a.db")
      let kept = try await fleet.run(on: "a.db", ["fleet", "marks", "--json"]).object
      #expect(kept["state"] as? String == "kept")
      #expect((kept["covers"] as? [String: Any])?["tag"] as? String == "first")
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks", "--retry"]).status == 0)
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks"]).text.isEmpty)
    }

    @Test func `an outage is told once, however much is said`() async throws {
      let fleet = try await CommandFleet.make()
      let run = try await fleet.get(on: "a.db", ["--verbose"], fleet: CommandFleet.nowhere)
      #expect(run.status == 0)
      let told = run.error.split(separator: "\n").filter { $0.contains("Connection refused") }
      #expect(told.count == 1, "\(run.error)")
    }

    @Test func `the doctor names the rights that a user of the fleet lacks`() async throws {
      let fleet = try await CommandFleet.make()
      let user = "u" + fleet.database
      try await fleet.sql(
        "CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA freshstore TO \(user); "
          + "GRANT SELECT ON ALL TABLES IN SCHEMA freshstore TO \(user)")
      let doctor = try DoctorReport(
        await fleet.run(
          on: "a.db", ["doctor", "127.0.0.1", "--json"],
          fleet: fleet.server.address(user: user, database: fleet.database)))
      #expect(doctor.level("fleet") == "problem")
      #expect(doctor.message("fleet").contains("INSERT ON freshstore.mark"))
      #expect(doctor.advice("fleet").contains("ON ALL TABLES"))
    }
  }
#endif
