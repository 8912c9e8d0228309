#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct WriteCommandTests {
    private let url = "http://127.0.0.1:9/notes/1"

    private func write(
      _ playground: Playground, _ arguments: String..., value: String? = "v"
    ) async throws -> Playground.Run {
      let all = ["write", "--db", playground.database] + arguments
      guard let value else { return try await playground.runAlone(all) }
      return try await playground.run(all, input: Array(value.utf8))
    }

    private func list(_ playground: Playground, _ arguments: String...) async throws -> String {
      try await playground.runAlone(
        ["outbox", "list", "--db", playground.database] + arguments
      ).text
    }

    @Test func `a write is served at once, and waits in the outbox under its number`() async throws
    {
      let playground = try Playground()
      let run = try await write(playground, url)
      #expect(run.text == "1\n")
      #expect(run.status == 0)
      #expect(try await playground.run("get", url, "--offline").text == "v")
      #expect(try await list(playground) == "1\twaiting\treplace\thttp\t\(url)\t1\t0\t-\n")
    }

    @Test func `each kind of write is sent with its method`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(204, [:], body: "") }
      try Data("{\"a\":1}".utf8).write(to: URL(fileURLWithPath: playground.file("patch")))
      _ = try await write(playground, "--create", origin.url("/new"))
      _ = try await write(playground, origin.url("/old"), "--content-type", "text/plain")
      _ = try await write(playground, origin.url("/part"), "--patch-file", playground.file("patch"))
      _ = try await write(playground, "--delete", origin.url("/gone"), value: nil)
      let run = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      #expect(run.text == "4 sent\n")
      let sent = Dictionary(
        origin.requests.filter { $0.method != "GET" }.map { ($0.target, $0) },
        uniquingKeysWith: { first, _ in first })
      #expect(sent["/new"]?["if-none-match"] == "*")
      #expect(sent["/old"]?["content-type"] == "text/plain")
      #expect(sent["/part"]?.method == "PATCH")
      #expect(sent["/part"]?["content-type"] == "application/merge-patch+json")
      #expect(sent["/gone"]?.method == "DELETE")
      #expect(sent.values.allSatisfy { $0["idempotency-key"] != nil })
      await origin.stop()
    }

    @Test(arguments: [[], ["--coalesce"]])
    func `a write without a media type is sent with that of the record`(
      options: [String]
    ) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(204, [:], body: "") }
      let write = ["write", "--db", playground.database, origin.url("/note")]
      _ = try await playground.run(write + ["--content-type", "text/plain"], input: [1])
      _ = try await playground.run(write + options, input: [2])
      _ = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      let sent = origin.requests.filter { $0.method == "PUT" }
      #expect(sent.last?.body == [2])
      #expect(sent.allSatisfy { $0["content-type"] == "text/plain" })
      await origin.stop()
    }

    @Test func `two writes of a key are sent as one on request`() async throws {
      let playground = try Playground()
      _ = try await write(playground, url, value: "1")
      _ = try await write(playground, url, "--coalesce", value: "22")
      #expect(try await list(playground) == "1\twaiting\treplace\thttp\t\(url)\t2\t0\t-\n")
      _ = try await write(playground, url, value: "3")
      #expect(try await list(playground).split(separator: "\n").count == 2)
    }

    @Test func `writes are sent by their priority, and none before the one it comes after`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(204, ["ETag": "\"1\""], body: "") }
      _ = try await write(playground, origin.url("/note"))
      let report = try await write(playground, origin.url("/report"), "--priority", "1").text
      let number = report.trimmingCharacters(in: .whitespacesAndNewlines)
      _ = try await write(
        playground, origin.url("/photo"), "--priority", "9", "--after", number)
      _ = try await write(playground, origin.url("/alarm"), "--priority", "5")
      let run = try await playground.runAlone(
        ["sync", "run", "--once", "--concurrency", "1", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      await origin.stop()
      let sent = origin.requests.filter { $0.method == "PUT" }.map(\.target)
      #expect(run.text == "4 sent\n")
      #expect(sent.filter { $0 != "/photo" } == ["/alarm", "/report", "/note"])
      // Once it may be sent, when exactly it has its turn is not promised.
      let (first, second) = (sent.firstIndex(of: "/report"), sent.firstIndex(of: "/photo"))
      #expect(try #require(second) > #require(first))
    }

    @Test func `a write is listed with its priority, and with the write before it`() async throws {
      let playground = try Playground()
      _ = try await write(playground, url)
      let run = try await write(
        playground, url + "/photo", "--priority", "7", "--after", "1", "--json")
      let entry = try run.object
      #expect(entry["priority"] as? Int == 7 && entry["after"] as? Int == 1)
    }

    @Test func `a deletion of an unsent object leaves nothing to send`() async throws {
      let playground = try Playground()
      _ = try await write(playground, "--create", url)
      let run = try await write(playground, "--delete", "--coalesce", url, value: nil)
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("nothing is left to send"))
      #expect(try await list(playground) == "")
    }

    @Test func `a key that is not a URL is sent to the given address`() async throws {
      let playground = try Playground()
      let without = try await write(playground, "note")
      #expect(without.status == 64)
      #expect(without.error.contains("--to"))
      #expect(try await write(playground, "note", "--to", url).status == 0)
      #expect(try await write(playground, "note").status == 0)
      #expect(try await list(playground, "--key", "note").split(separator: "\n").count == 2)
    }

    @Test func `a value that breaks a rule is not written`() async throws {
      let playground = try Playground()
      let run = try await write(playground, url, "--require", "json", value: "{")
      #expect(run.status == 6)
      #expect(try await list(playground) == "")
      #expect(try await write(playground, url, "--max-size", "2", value: "123").status == 6)
    }

    @Test(arguments: [
      ["--delete", "http://x/", "file"], ["--delete", "--create", "http://x/"],
      ["--create", "--patch-file", "p", "http://x/"], ["--patch-type", "a/b", "http://x/"],
      ["--to", "x", "key"], ["--to", "http://y/", "http://x/"], ["http://"], [""],
      ["--patch-file", "-", "http://x/"],
    ])
    func `invalid input is refused before any change`(arguments: [String]) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(["write", "--db", playground.database] + arguments)
      #expect(run.status == 64)
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test func `an unreadable file is an error of its own`() async throws {
      let playground = try Playground()
      let run = try await write(playground, url, playground.file("missing"), value: nil)
      #expect(run.status == 74)
      #expect(run.error.contains("missing"))
    }
  }
#endif
