#if CommandLine
  import Foundation
  import FreshStore
  import Testing

  /// A hit is printed without the parser and without the parts that only a fetch needs. Both show in the
  /// number of open files: beside the standard three those of the database, and one that is read.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct PlainGetTests {
    private func playground() async throws -> Playground {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "-", "--expiry", "1h", input: Array("value".utf8))
      return playground
    }

    @Test(
      arguments: [
        "k -- false", "k --online -- false", "--offline k -- false", "k --ignore-reachability -- x",
        "k --expiry 5m --timeout=3s --max-size 10k -- false", "k --tag a --tag=b -- false",
        "k --stale-if-error 1d --stale-while-revalidate 1h --fail-on-stale -- false",
        "--collection default k -- false --json --no-such-option",
      ])
    func `A plain hit opens only the files of the database`(line: String) async throws {
      let run = try await playground().runShell(
        "ulimit -n 7; exec freshstore get --db \"$db\" \(line)")
      #expect(run.text == "value")
      #expect(run.status == 0)
      #expect(run.error == "")
    }

    @Test(
      arguments: ["http://EXAMPLE.org:80/a#b", "http://example.org/a"],
      ["--header 'Accept: a/b'", "-H 'Accept: a/b'", "'-HAccept: a/b;q=1'"])
    func `A plain hit of a URL opens only the files of the database`(
      url: String, header: String
    ) async throws {
      let playground = try Playground()
      _ = try await playground.run(
        "put", "http://example.org/a", "-", "--expiry", "1h", input: Array("value".utf8))
      let run = try await playground.runShell(
        "ulimit -n 7; exec freshstore get '\(url)' \(header) --db \"$db\"")
      #expect(run.text == "value")
    }

    @Test func `A hit changes no byte of the store and leaves no file beside it`() async throws {
      let playground = try await playground()
      let folder = try FileManager.default.contentsOfDirectory(atPath: playground.path).sorted()
      let file = URL(fileURLWithPath: playground.database)
      let bytes = try Data(contentsOf: file)
      for more in [[], ["--require", "nonempty"]] {
        let run = try await playground.run(
          ["get", "k", "--db", playground.database] + more + ["--", "false"])
        #expect(run.text == "value")
      }
      #expect(try Data(contentsOf: file) == bytes)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: playground.path).sorted() == folder)
    }

    @Test(
      arguments: [
        ["k", "--", ""], ["k", "l", "--", "true"], ["k", "-x", "--", "true"],
        ["k", "--expiry", "5y", "--", "true"], ["k", "--expiry", "--", "true"],
        ["k", "--timeout", "0", "--", "true"], ["k", "--stale-if-error", "never", "--", "true"],
        ["k", "--max-size", "0", "--", "true"], ["k", "--collection=", "--", "true"],
        ["k", "--tag", "", "--", "true"], ["k", "--header", "A: b", "--", "true"],
        ["k", "--offline", "--online", "--", "true"], ["k", "--online=1", "--", "true"],
        ["k", "--fail-on-stale=1", "--", "true"], ["http://", "--", "true"],
        ["http://example.org/", "--header", "no-colon"],
        ["http://example.org/", "--header", "Host: a"], ["k", "--no-such-option", "--", "true"],
      ])
    func `Invalid arguments are refused for a hit, too`(arguments: [String]) async throws {
      let playground = try await playground()
      _ = try await playground.run(
        "put", "http://example.org/", "-", "--expiry", "1h", input: Array("value".utf8))
      let run = try await playground.run(["get", "--db", playground.database] + arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(!run.error.isEmpty)
    }

    @Test(arguments: [("FRESHSTORE_REACHABILITY", "perhaps"), ("http_proxy", "ftp://proxy")])
    func `An invalid environment is reported for a hit, too`(name: String, value: String)
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run(
        "put", "http://example.org/", "-", "--expiry", "1h", input: Array("value".utf8))
      let run = try await playground.run(
        ["get", "http://example.org/", "--db", playground.database], environment: [name: value])
      #expect(run.status == 64)
      #expect(run.error.contains(name))
    }

    @Test(
      arguments: [
        ["mark", "k"], ["mark", "--tag", "t"], ["mark", "--prefix", "k"], ["mark", "--all"],
        ["remove", "k"], ["put", "k", "-", "--expiry", "0"],
      ])
    func `A value that is no longer fresh is fetched`(change: [String]) async throws {
      let playground = try Playground()
      let put = ["put", "k", "-", "--db", playground.database, "--expiry", "1h", "--tag", "t"]
      _ = try await playground.run(put, input: Array("old".utf8))
      _ = try await playground.run(
        change + ["--db", playground.database], input: Array("old".utf8))
      #expect(try await playground.run("get", "k", "--", "printf", "new").text == "new")
    }

    @Test(arguments: [("text", 0, "\"old\""), ("bytes", 1, "new")])
    func `A value of another program is served, unless its content has a version`(
      form: String, contentVersion: Int, text: String
    ) async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      if form == "text" {
        try await store.collection("default", of: String.self).put("old", for: "k")
      } else {
        try await store.bytes("default", contentVersion: contentVersion).put([1], for: "k")
      }
      try await store.close()
      #expect(try await playground.run("get", "k", "--", "printf", "new").text == text)
    }

    @Test func `A hit that cannot be written ends with 74`() async throws {
      let playground = try await playground()
      let run = try await playground.runShell(
        "exec > /dev/full; ulimit -n 7; exec freshstore get k --db \"$db\" -- false")
      #expect(run.status == 74)
      #expect(run.error.contains("standard output cannot be written"))
    }
  }
#endif
