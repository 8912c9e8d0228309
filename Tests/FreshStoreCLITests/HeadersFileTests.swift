#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Testing

  /// Headers from a file, for those commands that contact many origins.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct HeadersFileTests {
    private static let secret = "s3cret-t0ken"
    private static let online = ["FRESHSTORE_REACHABILITY": "online"]

    private func file(
      _ playground: Playground, _ text: String, mode: mode_t = 0o600
    ) throws -> String {
      let path = playground.file("headers")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(unsafe chmod(path, mode) == 0)
      return path
    }

    /// Answers requests with the secret, and repeats the request when it asks for an error.
    private func guarded() async throws -> OriginServer {
      try await OriginServer.start { request in
        let sent = request["Authorization"] ?? "nothing"
        guard sent == "Bearer \(Self.secret)" else { return .init(401) }
        guard request.path != "/trouble" else { return .init(500, body: "trouble with \(sent)") }
        return request.method == "GET"
          ? .init(200, ["ETag": "\"1\"", "Vary": "Authorization"], body: "new") : .init(204)
      }
    }

    /// Stores a copy that is due for a refetch.
    private func due(_ urls: String..., in playground: Playground) async throws {
      let store = try Store(path: playground.database)
      let records = try store.bytes("http")
      for url in urls {
        try await records.put([1], for: url, details: FetchDetails(source: url))
        try await records.markStale(url)
      }
      try await store.close()
    }

    /// True when one of the store's files holds the secret.
    private func isSecretStored(_ playground: Playground) throws -> Bool {
      let files = try FileManager.default.contentsOfDirectory(atPath: playground.path)
        .filter { $0.hasPrefix("store.db") }
      #expect(files.contains("store.db"))
      return try files.contains { name in
        let bytes = try Data(contentsOf: URL(fileURLWithPath: playground.file(name)))
        return bytes.range(of: Data(Self.secret.utf8)) != nil
      }
    }

    @Test
    func `fetches and writes carry the headers of their origin, and no other output has them`()
      async throws
    {
      let playground = try Playground()
      let (private_, open) = (try await guarded(), try await OriginServer.start { _ in .init() })
      let headers = try file(
        playground,
        "# who we are\r\n\r\n  \(private_.url("")) \tAuthorization: Bearer \(Self.secret)\r\n"
          + "\(private_.url("/")) X-Team: blue\r\n")
      try await due(private_.url("/1"), private_.url("/trouble"), open.url("/1"), in: playground)
      for origin in [private_, open] {
        _ = try await playground.run("write", origin.url("/2"), input: Array("v".utf8))
      }
      let run = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database, "--headers", headers, "--verbose"],
        environment: Self.online)
      let list = try await playground.run("list", "--json")
      await private_.stop()
      await open.stop()

      #expect(run.text == "2 fetched, 2 sent, 1 failed\n")
      #expect(run.error.contains("trouble with … …"))
      #expect(private_.requests.map { $0["X-Team"] } == Array(repeating: "blue", count: 4))
      // A fetch, a write, and a read-back of the write, for which the origin returned no tag.
      #expect(open.requests.count == 3)
      #expect(open.requests.allSatisfy { $0["Authorization"] == nil && $0["X-Team"] == nil })
      #expect(!(run.text + run.error + list.text).contains(Self.secret))
      #expect(try !isSecretStored(playground))
    }

    @Test func `a copy that was fetched with the headers is revalidated with them`() async throws {
      let (playground, origin) = (try Playground(), try await guarded())
      let headers = try file(playground, "\(origin.url("")) Authorization: Bearer \(Self.secret)")
      try await due(origin.url("/"), in: playground)
      for _ in 1...2 {
        let run = try await playground.runAlone(
          ["sync", "run", "--once", "--db", playground.database, "--headers", headers],
          environment: Self.online)
        #expect(run.text == "1 fetched\n")
        _ = try await playground.run("mark", origin.url("/"))
      }
      await origin.stop()
      #expect(origin.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
    }

    @Test func `a redirect carries no header to another origin, nor that origin's own`()
      async throws
    {
      let playground = try Playground()
      let other = try await OriginServer.start { _ in .init(body: "there") }
      let location = other.url("/there")
      let origin = try await OriginServer.start { _ in .init(307, ["Location": location]) }
      let headers = try file(
        playground, "\(origin.url("")) X-Key: \(Self.secret)\n\(other.url("")) X-Key: other")
      try await due(origin.url("/"), in: playground)
      let run = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database, "--headers", headers],
        environment: Self.online)
      await origin.stop()
      await other.stop()
      #expect(run.text == "1 fetched\n")
      #expect(origin.requests.map { $0["X-Key"] } == [Self.secret])
      #expect(other.requests.map { $0["X-Key"] } == [nil])
    }

    @Test func `a refetching sweep sends the headers`() async throws {
      let (playground, origin) = (try Playground(), try await guarded())
      let headers = try file(playground, "\(origin.url("")) Authorization: Bearer \(Self.secret)")
      try await due(origin.url("/1"), in: playground)
      let run = try await playground.run(
        ["sweep", "--refetch", "--headers", headers, "--db", playground.database],
        environment: Self.online)
      await origin.stop()
      #expect(run.status == 0, "\(run.error)")
      #expect(origin.requests.map { $0["Authorization"] } == ["Bearer \(Self.secret)"])
      let wrong = try await playground.run("sweep", "--headers", headers)
      #expect(wrong.status == 64)
    }

    @Test func `a get sends the headers to their origin, and revalidates its copy with them`()
      async throws
    {
      let (playground, origin) = (try Playground(), try await guarded())
      let headers = try file(
        playground,
        "\(origin.url("")) Authorization: Bearer \(Self.secret)\nhttps://a.example X-Key: no")
      let (get, url) = (["get", "--db", playground.database], origin.url("/1"))
      let first = try await playground.runAlone(
        get + [url, "--headers", headers, "--header", "X-Team: blue"], environment: Self.online)
      let again = try await playground.runAlone(
        get + ["--refresh", url, "--headers", headers, "--header", "X-Team: blue"],
        environment: Self.online)
      let without = try await playground.runAlone(get + [url], environment: Self.online)
      let trouble = try await playground.runAlone(
        get + [origin.url("/trouble"), "--headers", headers], environment: Self.online)
      let why = try await playground.run(
        "explain", url, "--headers", headers, "--header", "X-Team: blue")
      await origin.stop()

      #expect(first.text == "new" && again.text == "new", "\(first.error)\(again.error)")
      #expect(without.status != 0)
      #expect(why.text.contains("fresh"), "\(why.text)")
      #expect(trouble.error.contains("trouble with … …"), "\(trouble.error)")
      let sent = "Bearer \(Self.secret)"
      #expect(origin.requests.map { $0["Authorization"] } == [sent, sent, nil, sent])
      #expect(origin.requests.map { $0["X-Team"] } == ["blue", "blue", nil, nil])
      #expect(origin.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", nil, nil])
      #expect(origin.requests.allSatisfy { $0["X-Key"] == nil })
      #expect(!(trouble.error + why.text).contains(Self.secret))
      #expect(try !isSecretStored(playground))
    }

    @Test func `a thousand origins with headers of their own take no more descriptors than one`()
      async throws
    {
      let (playground, origin) = (try Playground(), try await guarded())
      let others = (0..<1000).map { "http://\($0).example X-Key: 1\n" }.joined()
      let headers = try file(
        playground, "\(others)\(origin.url("")) Authorization: Bearer \(Self.secret)")
      try await due(origin.url("/7"), in: playground)
      let run = try await playground.runShell(
        "export FRESHSTORE_REACHABILITY=online; ulimit -n 64; "
          + "exec freshstore sweep --refetch --headers '\(headers)' --db \"$db\"")
      await origin.stop()
      #expect(run.status == 0)
      #expect(origin.requests.count == 1)
    }

    @Test func `explain does not use a copy fetched with headers for a command, like get`()
      async throws
    {
      let (playground, origin) = (try Playground(), try await guarded())
      let headers = try file(playground, "\(origin.url("")) Authorization: Bearer \(Self.secret)")
      let store = try Store(path: playground.database)
      let notes = try store.bytes("default")
      try await notes.put([1], for: "note-7", details: FetchDetails(source: origin.url("/7")))
      try await notes.markStale("note-7")
      try await store.close()
      let swept = try await playground.run(
        ["sweep", "--refetch", "--headers", headers, "--db", playground.database],
        environment: Self.online)
      await origin.stop()
      let why = try await playground.run("explain", "note-7", "--json")
      let got = try await playground.run("get", "note-7", "--", "printf", "other")
      #expect(swept.status == 0)
      #expect(try why.object["action"] as? String == "fetch", "\(why.text)")
      #expect(got.text == "other")
    }

    @Test func `a get of a command accepts no headers file`() async throws {
      let playground = try Playground()
      let headers = try file(playground, "https://a.example X-Key: no")
      let run = try await playground.runAlone(
        ["get", "key", "--db", playground.database, "--headers", headers, "--", "printf", "x"])
      #expect(run.status == 64)
      #expect(run.error.contains("headers are for URLs"))
    }

    @Test(arguments: [
      ("Authorization: Bearer \(secret)", "does not begin with an origin"),
      ("ftp://a.example X-Key: \(secret)", "does not begin with an origin"),
      ("https:// X-Key: \(secret)", "has an origin that is not valid"),
      ("https://me:\(secret)@a.example X-Key: v", "has an origin that is not valid"),
      ("https://a.example/api X-Key: \(secret)", "names more than an origin"),
      ("https://a.example?key=\(secret) X-Key: v", "names more than an origin"),
      ("https://a.example", "has no header"),
      ("https://a.example \(secret)", "has no header"),
      ("https://a.example : \(secret)", "has a header that cannot be sent"),
      ("https://a.example Bearer \(secret):x", "has a header that cannot be sent"),
      ("https://a.example Host: \(secret)", "has a header that cannot be sent"),
      ("https://a.example X-Key: \(secret)\rX-Other: v", "has a header that cannot be sent"),
      ("https://a.example X-Key: \(secret)\u{0}", "has a header that cannot be sent"),
    ])
    func `an invalid line is named by its number, and not repeated`(
      line: String, words: String
    ) async throws {
      let playground = try Playground()
      let headers = try file(playground, "https://a.example A: b\n\n\(line)\n")
      let run = try await playground.runAlone(
        ["sync", "run", "--db", playground.database, "--headers", headers])
      #expect(run.status == 64)
      #expect(run.error.contains("line 3 \(words)"), "\(run.error)")
      #expect(!run.error.contains(Self.secret))
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test(arguments: [(0o400, 0), (0o640, 64), (0o620, 64), (0o604, 64)] as [(mode_t, Int32)])
    func `the headers file must not be accessible to other users`(mode: mode_t, status: Int32)
      async throws
    {
      let playground = try Playground()
      let headers = try file(playground, "https://a.example A: b", mode: mode)
      let run = try await playground.run(
        ["sync", "run", "--once", "--db", playground.database, "--headers", headers])
      #expect(run.status == status)
      #expect(run.error.contains("chmod 600") == (status == 64))
    }

    @Test func `a missing headers file is an error`() async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["sync", "run", "--db", playground.database, "--headers", playground.file("none")])
      #expect(run.status == 74)
      #expect(run.error.contains("cannot be read"))
    }
  }
#endif
