#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// Logins from a netrc file, as a synchronizing command sends them.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct NetrcFileTests {
    private func write(
      _ text: String, as name: String = "netrc", mode: mode_t = 0o600, in playground: Playground
    ) throws -> String {
      let path = playground.file(name)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(unsafe chmod(path, mode) == 0)
      return path
    }

    private func basic(_ credentials: String) -> String {
      "Basic " + Data(credentials.utf8).base64EncodedString()
    }

    @Test(
      arguments: [
        ("machine 127.0.0.1 login me password s3cret", "me:s3cret"),
        ("machine\n127.0.0.1\n\tlogin me\n  password\ts3cret\n", "me:s3cret"),
        ("machine 127.0.0.1\r\nlogin me\r\npassword s3cret\r\n", "me:s3cret"),
        ("MACHINE 127.0.0.1 Login me PASSWORD s3cret", "me:s3cret"),
        (
          "machine a.example login no password no machine 127.0.0.1 login me password s3cret",
          "me:s3cret"
        ),
        ("machine a.example login no password no", nil), ("", nil), ("machine 127.0.0.1", nil),
        ("default login me password s3cret", "me:s3cret"),
        (
          "machine 127.0.0.1 login me password s3cret\nmachine 127.0.0.1 login no password no\n"
            + "default login no password no", "me:s3cret"
        ),
        (
          "default login me password s3cret\nmachine 127.0.0.1 login no password no", "me:s3cret"
        ),
        ("machine 127.0.0.1 login me account machine password s3cret", "me:s3cret"),
        (
          #"machine 127.0.0.1 login "m e" password "s3\"cr\\et\n#\t""#, "m e:s3\"cr\\et\n#\t"
        ),
        (#"machine "127.0.0.1" login "" password s3cret"#, ":s3cret"),
        (
          "macdef init\nmachine 127.0.0.1 login no password no\n\nmachine 127.0.0.1 login me "
            + "password s3cret", "me:s3cret"
        ),
        (
          "# machine 127.0.0.1 login no password no\nmachine 127.0.0.1 login me # a note\n"
            + "password #s3cret", "me:#s3cret"
        ),
        ("machine 127.0.0.1 login me", "me:"), ("machine 127.0.0.1 password s3cret", ":s3cret"),
      ] as [(String, String?)])
    func `the login for the host is sent`(text: String, credentials: String?) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(body: "new") }
      try await playground.makeDue(origin.url("/1"))
      let file = try write(text, in: playground)
      let run = try await playground.syncOnce(["--netrc-file", file])
      await origin.stop()
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.map { $0["Authorization"] } == [credentials.map(basic)])
      #expect(!(run.text + run.error).contains("s3cret"))
    }

    @Test(arguments: [
      ("machine", "line 1 has a machine without a value"),
      ("machine h\nlogin", "line 2 has a login without a value"),
      ("machine h\n\nlogin \"s3cret", "line 3 has a double quote that is not closed"),
      ("machine h login \"s3cret\\\"", "line 1 has a double quote that is not closed"),
      ("login s3cret", "line 1 has a login of no machine"),
      ("password s3cret", "line 1 has a password of no machine"),
      ("machine h login me\npassword my s3cret", "line 2 has a word where"),
      ("s3cret", "line 1 has a word where"),
      ("machine h login me:s3cret", "line 1 has a login with a colon"),
    ])
    func `what is wrong is named by its line, and not repeated`(text: String, words: String)
      async throws
    {
      let playground = try Playground()
      let file = try write(text, in: playground)
      let run = try await playground.syncOnce(["--netrc-file", file])
      #expect(run.status == 64)
      #expect(run.error.contains(words), "\(run.error)")
      #expect(!run.error.contains("s3cret"))
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test func `--netrc reads the file in the user's folder`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(body: "new") }
      try await playground.makeDue(origin.url("/1"))
      let missing = try await playground.syncOnce(["--netrc"])
      _ = try write(
        "machine 127.0.0.1 login me password s3cret", as: ".netrc", in: playground)
      let run = try await playground.syncOnce(["--netrc"])
      await origin.stop()
      #expect(missing.status == 74)
      #expect(missing.error.contains(".netrc"), "\(missing.error)")
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.map { $0["Authorization"] } == [basic("me:s3cret")])
    }

    @Test func `a login does not follow a redirect, nor does another host get its own there`()
      async throws
    {
      let playground = try Playground()
      let other = try await OriginServer.start { _ in .init(body: "there") }
      let location = other.url("/there")
      let origin = try await OriginServer.start { _ in .init(307, ["Location": location]) }
      try await playground.makeDue(origin.url("/1"))
      let file = try write("default login me password s3cret", in: playground)
      let run = try await playground.syncOnce(["--netrc-file", file])
      await origin.stop()
      await other.stop()
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.map { $0["Authorization"] } == [basic("me:s3cret")])
      #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func `an Authorization of the headers file goes before a login`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(body: "new") }
      try await playground.makeDue(origin.url("/1"))
      let file = try write("default login me password s3cret", in: playground)
      let headers = try write(
        "\(origin.url("")) authorization: Bearer x", as: "headers", in: playground)
      let run = try await playground.syncOnce(["--netrc-file", file, "--headers", headers])
      await origin.stop()
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.map { $0["Authorization"] } == ["Bearer x"])
    }

    @Test(arguments: [(0o400, 0), (0o640, 64), (0o604, 64)] as [(mode_t, Int32)])
    func `the file must not be accessible to other users`(mode: mode_t, status: Int32) async throws
    {
      let playground = try Playground()
      let file = try write("default login me password s3cret", mode: mode, in: playground)
      let run = try await playground.syncOnce(["--netrc-file", file])
      #expect(run.status == status)
      #expect(run.error.contains("chmod 600") == (status == 64))
    }
  }
#endif
