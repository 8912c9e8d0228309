#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// Several values in one call, and values that go to a file.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ManyGetsTests {
    /// A store with the values of these keys.
    private func playground(_ keys: String...) async throws -> Playground {
      let playground = try Playground()
      for key in keys {
        _ = try await playground.run(
          "put", key, "-", "--expiry", "1h", input: Array("value of \(key)\n".utf8))
      }
      return playground
    }

    @Test func `several keys are printed in the order of the arguments`() async throws {
      let run = try await playground("a", "b", "c").run("get", "c", "a", "b")
      #expect(run.text == "value of c\nvalue of a\nvalue of b\n")
      #expect(run.status == 0)
    }

    @Test func `- stands for the keys on standard input`() async throws {
      let playground = try await playground("a", "b", "c")
      let run = try await playground.run("get", "c", "-", input: Array("a\n\nb\r\n".utf8))
      #expect(run.text == "value of c\nvalue of a\nvalue of b\n")
    }

    @Test func `URLs are fetched at the same time, each once`() async throws {
      let origin = try await OriginServer.start { request in .init(body: request.target) }
      let playground = try Playground()
      let urls = (1...20).map { origin.url("/\($0)") }
      let run = try await playground.run(
        ["get", "--db", playground.database, "--online", "--json"] + urls)
      let lines = run.text.split(separator: "\n")
      #expect(lines.count == 20)
      for (line, number) in zip(lines, 1...20) {
        #expect(line.contains(#""value":"/\#(number)""#))
      }
      #expect(origin.requests.count == 20)
      await origin.stop()
    }

    @Test func `one that fails ends no other, and its exit code is that of all`() async throws {
      let run = try await playground("a", "c").run("get", "a", "b", "c")
      #expect(run.text == "value of a\nvalue of c\n")
      #expect(run.status == 4)
      #expect(run.error.contains(#""b""#))
    }

    @Test func `a line that names nothing is reported, and ends no other`() async throws {
      let run = try await playground("a", "b").run(
        "get", "-", input: Array("a\nhttp://exa mple/\nb\n".utf8))
      #expect(run.text == "value of a\nvalue of b\n")
      #expect(run.status == 64)
      #expect(run.error.contains("exa mple"))
    }

    @Test func `every key has its object in JSON`() async throws {
      let run = try await playground("a").run("get", "a", "b", "--json")
      let lines = run.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.last?.contains(#""code":"missing""#) == true)
    }

    @Test func `a command without its -- is pointed out`() async throws {
      let run = try await Playground().run("get", "hosts", "getent", "hosts")
      #expect(run.status == 4)
      #expect(run.error.contains("freshstore get hosts -- getent hosts"))
    }

    @Test(arguments: [
      ["a", "b", "--output", "f"], ["a", "--output", "f", "--json"], ["a", "b", "--", "true"],
      [], ["--"], ["a", "--", ""],
    ])
    func `contradictions are refused`(arguments: [String]) async throws {
      let run = try await playground("a").run(["get"] + arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
    }

    // MARK: Files

    @Test func `--output replaces a file at once and keeps its mode`() async throws {
      let playground = try await playground("a")
      let file = playground.file("out")
      try Data("before".utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      let run = try await playground.run("get", "a", "-o", file)
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "value of a\n")
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
      #expect(mode as? Int == 0o640)
      let names = try FileManager.default.contentsOfDirectory(atPath: playground.path)
      #expect(!names.contains { $0.hasPrefix("out.") })
    }

    @Test func `--output leaves the file as it was when the get fails`() async throws {
      let playground = try Playground()
      let file = playground.file("out")
      try Data("before".utf8).write(to: URL(fileURLWithPath: file))
      #expect(try await playground.run("get", "a", "-o", file, "--", "false").status == 5)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    }

    @Test func `--output writes through a link, and into a pipe`() async throws {
      let playground = try await playground("a")
      let run = try await playground.runShell(
        """
        ln -s real "$folder/link"; echo old > "$folder/real"
        freshstore get a --db "$db" --output "$folder/link"
        test -L "$folder/link" && cat "$folder/real"
        freshstore get a --db "$db" --output /dev/stdout | cat
        (echo before; freshstore get a --db "$db" --output /dev/stdout; echo after) > "$folder/log"
        cat "$folder/log"
        """)
      #expect(run.text == "value of a\nvalue of a\nbefore\nvalue of a\nafter\n")
    }

    @Test func `--output waits for no reader of a named pipe`() async throws {
      let playground = try await playground("a")
      let run = try await playground.runShell(
        """
        mkfifo "$folder/pipe"
        timeout 30 freshstore get a --db "$db" --output "$folder/pipe" || echo "$?"
        exec 3<> "$folder/pipe"
        freshstore get a --db "$db" -o"$folder/pipe" && read -r line <&3 && echo "$line"
        freshstore get a --db "$db" -o /dev/null && freshstore get a --db "$db" -o /dev/fd/1
        """)
      #expect(run.text == "74\nvalue of a\nvalue of a\n")
      #expect(run.error.contains("nobody reads"), "\(run.error)")
    }

    @Test func `a file that cannot be written ends with 74`() async throws {
      let playground = try await playground("a")
      let run = try await playground.run("get", "a", "-o", playground.file("no/such/folder"))
      #expect(run.status == 74)
      #expect(run.error.contains("cannot be written"))
    }

    @Test func `--if-changed compares with the file`() async throws {
      let playground = try await playground("a")
      let file = playground.file("out")
      let statuses = try await [
        playground.run("get", "a", "--if-changed", "-o", file).status,
        playground.run("get", "a", "--if-changed", "-o", file).status,
      ]
      #expect(statuses == [0, 9])
      try Data("other".utf8).write(to: URL(fileURLWithPath: file))
      #expect(try await playground.run("get", "a", "--if-changed", "-o", file).status == 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "value of a\n")
    }

    @Test(arguments: [("one", 9, ""), ("two", 0, "two")])
    func `--if-changed without a file compares with the copy`(
      value: String, status: Int32, text: String
    ) async throws {
      let playground = try Playground()
      #expect(
        try await playground.run("get", "k", "--if-changed", "--", "printf", "one").text == "one")
      let run = try await playground.run(
        "get", "k", "--refresh", "--if-changed", "--", "printf", value)
      #expect(run.status == status)
      #expect(run.text == text)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `--output keeps the owner of a file, and no right to run as that`() async throws {
      let playground = try await playground("a")
      let run = try await playground.runShell(
        """
        echo old > "$folder/out"; chown 65534:65534 "$folder/out"; chmod 4750 "$folder/out"
        freshstore get a --db "$db" --output "$folder/out" && stat -c '%u %g %a' "$folder/out"
        """)
      #expect(run.text == "65534 65534 750\n")
    }

    @Test func `a circle of links is no file`() async throws {
      let playground = try await playground("a")
      let run = try await playground.runShell(
        """
        ln -s two "$folder/one"; ln -s one "$folder/two"
        freshstore get a --db "$db" --output "$folder/one"; echo $?
        test -L "$folder/one" && echo link
        """)
      #expect(run.text == "74\nlink\n")
    }

    @Test func `a refresh behind would hide a change from --if-changed`() async throws {
      let run = try await Playground().run(
        "get", "k", "--if-changed", "--stale-while-revalidate", "1h", "--", "true")
      #expect(run.status == 64)
    }

    // MARK: Freshness of one call, and quiet

    @Test(arguments: [("1h", "one"), ("0", "two")])
    func `--max-age decides beside the expiry`(age: String, value: String) async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "never", "--", "printf", "one")
      let run = try await playground.run("get", "k", "--max-age", age, "--", "printf", "two")
      #expect(run.text == value)
    }

    @Test func `--max-age makes no copy fresh that has expired`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run("get", "k", "--max-age", "1h", "--", "printf", "two")
      #expect(run.text == "two")
      #expect(try await playground.run("explain", "k", "--max-age", "0").text.contains("maxAge"))
    }

    @Test func `a failed --max-age leaves nothing behind for other calls`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "never", "--", "printf", "one")
      let failed = try await playground.run("get", "k", "--max-age", "0", "--", "false")
      #expect(failed.status == 5)
      let listed = try await playground.run("list", "--json").object
      #expect(listed["outcome"] as? String == "fresh")
      #expect(listed["mark"] == nil)
      let run = try await playground.run("get", "k", "--", "printf", "two")
      #expect(run.text == "one")
    }

    @Test func `explain says that an --expiry is for the next fetch`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "1h", "--", "printf", "one")
      let run = try await playground.run("explain", "k", "--expiry", "1m")
      #expect(run.text.contains("this copy keeps its own, 1 h; --max-age limits its age"))
      let same = try await playground.run("explain", "k", "--expiry", "1h")
      #expect(!same.text.contains("--expiry"))
    }

    @Test func `a lifetime that is guessed is stated, and does not beat an --expiry`() async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Last-Modified": "Sat, 01 Jan 2000 00:00:00 GMT"], body: "value")
      }
      let guessed = try await playground.run(
        "get", origin.url("/1"), "--online", "-v", "--json")
      #expect(try guessed.object["expirySeconds"] as? Double == 86_400)
      #expect(guessed.error.contains("by its Last-Modified it holds for 1 d"))
      let stated = try await playground.run(
        "get", origin.url("/2"), "--online", "-v", "--json", "--expiry", "1m")
      #expect(try stated.object["expirySeconds"] as? Double == 60)
      #expect(!stated.error.contains("Last-Modified"))
      await origin.stop()
    }

    @Test func `--quiet says nothing of a stale copy, and all of a failure`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run(
        "get", "k", "--quiet", "--stale-if-error", "1h", "--", "false")
      #expect(run.text == "one")
      #expect(run.error == "")
      #expect(try await playground.run("get", "k", "-q", "--refresh", "--", "false").error != "")
    }

    // MARK: Commands

    @Test func `a command without a key is stored under one of its own`() async throws {
      let playground = try Playground()
      for _ in 1...2 {
        let run = try await playground.run(
          "get", "--", "sh", "-c", "echo run >> '\(playground.file("runs"))'; echo secret | wc -c")
        #expect(run.text == "7\n")
      }
      #expect(try playground.lines("runs") == 1)
      _ = try await playground.run("get", "--", "sh", "-c", "exit 0")
      let keys = try await playground.run("list").text
      #expect(keys.split(separator: "\n").count == 2)
      #expect(keys.contains("\tsh#"))
      #expect(!keys.contains("secret"))
    }

    @Test func `arguments that only run together alike are two commands`() async throws {
      let playground = try Playground()
      let words: [[[UInt8]]] = [[[97, 0xFF, 98]], [[97], [98]]]
      for arguments in words {
        let head = ["get", "--online", "--db", playground.database, "--", "printf", "%s."]
        let run = try await playground.run(bytes: head.map { Array($0.utf8) } + arguments)
        #expect(run.output == arguments.flatMap { $0 + [UInt8(ascii: ".")] })
      }
    }

    /// Two programs of one name in two folders, each run from its own folder and from the other one.
    private static let twoPrograms = """
      mkdir "$folder/a" "$folder/b"
      for side in a b; do
        printf '#!/bin/sh\necho %s ${LETTER:-none}\n' $side > "$folder/$side/run.sh"
        chmod +x "$folder/$side/run.sh"
      done
      get() { freshstore get --db "$db" --expiry 1h "$@"; }
      """

    @Test func `a program in another folder is another command, by whatever path it is named`()
      async throws
    {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        \(Self.twoPrograms)
        (cd "$folder/a" && get -- ./run.sh); (cd "$folder/b" && get -- ./run.sh)
        (cd "$folder/a" && get -- ../b/run.sh); get -- "$folder/a/run.sh"
        (PATH="$folder/a:$PATH"; get -- run.sh); (PATH="$folder/b:$PATH"; get -- run.sh)
        """)
      #expect(run.text == "a none\nb none\nb none\na none\na none\nb none\n")
      #expect(run.error == "")
    }

    @Test func `--cwd and --env tell one command in two surroundings apart, and alone they share`()
      async throws
    {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        \(Self.twoPrograms)
        show() { get "$@" -- sh -c 'echo ${PWD##*/} $LETTER'; }
        (cd "$folder/a" && LETTER=x show); (cd "$folder/b" && LETTER=y show)
        (cd "$folder/a" && LETTER=x show --cwd); (cd "$folder/b" && LETTER=y show --cwd)
        (cd "$folder/b" && LETTER=z show --cwd)
        (cd "$folder/a" && LETTER=x show --env LETTER); (cd "$folder/b" && LETTER=y show --env LETTER)
        (cd "$folder/a" && LETTER=y show --env LETTER)
        (cd "$folder/a" && LETTER=y freshstore explain --db "$db" --env LETTER -- \
          sh -c 'echo ${PWD##*/} $LETTER' | grep -o ': fresh,')
        """)
      #expect(
        run.text.split(separator: "\n")
          == ["a x", "a x", "a x", "b y", "b y", "a x", "b y", "b y", ": fresh,"])
    }

    @Test(arguments: [
      ["k", "--cwd", "--", "true"], ["k", "--env", "HOME", "--", "true"], ["k", "--cwd"],
      ["https://example.org", "--env", "HOME"], ["--env", "A=b", "--", "true"],
      ["--env", "", "--", "true"],
    ])
    func `--cwd and --env are refused where they tell nothing apart`(
      _ arguments: [String]
    ) async throws {
      let run = try await Playground().run(["get"] + arguments)
      #expect(run.status == 64)
      #expect(run.error.contains("--env"))
    }

    @Test func `explain knows the key of a command`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "--", "printf", "a")
      let run = try await playground.run("explain", "--", "printf", "a")
      #expect(run.status == 0)
      #expect(run.text.hasPrefix("default/printf#"))
      #expect(try await playground.run("explain", "--", "printf", "b").status == 4)
    }

    @Test func `the output of another command under the key is noticed`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--", "printf", "one")
      #expect(try await playground.run("get", "k", "--", "printf", "one").error == "")
      let run = try await playground.run("get", "k", "--", "printf", "two")
      #expect(run.text == "one")
      #expect(run.error.contains("another command"))
      let quiet = try await playground.run("get", "k", "-q", "--", "printf", "two")
      #expect(quiet.error == "")
      _ = try await playground.run("get", "k", "--refresh", "--", "printf", "two")
      #expect(try await playground.run("get", "k", "--", "printf", "two").error == "")
    }

    @Test func `a copy is refreshed behind also where options stand before the verb`() async throws
    {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let file = playground.file("ran")
      let run = try await playground.runShell(
        """
        mkfifo "$folder/done"
        freshstore --db "$db" get k --stale-while-revalidate 1h -- \
          sh -c 'printf two; echo > "$0"' "$folder/done"
        read line < "$folder/done"
        """)
      #expect(run.text == "one")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
#endif
