import FreshStoreTools

#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct CompletionTests {
    /// Makes a store with keys that shells could misinterpret.
    private func fill(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      let keys = [
        "apple", "apricot", "it's", "two words", "x$(touch pwned)`touch pwned`", "a\u{7}b",
      ]
      for key in keys { try await store.bytes("default").put([1], for: key) }
      for key in ["http://example.org/a?x=1", "http://example.org/b"] {
        try await store.bytes("http").put([1], for: key)
      }
      for name in ["alpha", "alps", "beta"] { try await store.bytes(name).put([1], for: "inner") }
      try await store.close()
    }

    /// Bash's completions for the words, the last of which is being typed; the words are split as bash
    /// splits them.
    private func bash(_ playground: Playground, _ words: String...) async throws -> [String] {
      let pieces = words.flatMap { word -> [String] in
        var pieces = [""]
        for character in word {
          let isBreak = ":=".contains(character)
          if !pieces[pieces.count - 1].isEmpty,
            isBreak != pieces[pieces.count - 1].allSatisfy({ ":=".contains($0) })
          {
            pieces.append("")
          }
          pieces[pieces.count - 1].append(character)
        }
        return pieces
      }
      let line = words.joined(separator: " ")
      let quoted = pieces.map { "'\($0)'" }.joined(separator: " ")
      let run = try await playground.runShell(
        """
        cd "$folder"
        freshstore --generate-completion-script bash > script
        cat > ask <<'END'
        source ./script
        COMP_WORDS=(\(quoted))
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE='\(line)'
        COMP_POINT=${#COMP_LINE}
        word="${COMP_WORDS[COMP_CWORD]}"
        [[ "$word" = [:=]* ]] && word=
        COMPREPLY=()
        complete -p freshstore > rule
        read -ra rule < rule
        "${rule[4]}" freshstore "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
        for answer in "${COMPREPLY[@]}"; do printf '%s\\n' "$answer"; done
        END
        bash ask
        """)
      #expect(run.error.isEmpty)
      #expect(run.status == 0)
      return run.text.split(separator: "\n").map(String.init).filter { !$0.isEmpty }
    }

    // MARK: The scripts

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the script passes the syntax check of its shell, where the shell is installed`(
      shell: String
    ) async throws {
      let run = try await Playground().runShell(
        """
        freshstore --generate-completion-script \(shell) > "$folder/script" || exit
        command -v \(shell) > /dev/null || exit 0
        \(shell) -n "$folder/script"
        """)
      #expect(run.status == 0)
      #expect(run.error.isEmpty)
    }

    @Test(arguments: [
      ["--generate-completion-script", "bash"], ["--generate-completion-script=bash"],
      ["--generate-completion-script"],
    ])
    func `bash's script joins split words, however it is requested`(
      arguments: [String]
    ) async throws {
      let run = try await Playground().runAlone(arguments, environment: ["SHELL": "/bin/bash"])
      #expect(run.status == 0)
      #expect(run.text.hasPrefix("#!/bin/bash\n"))
      #expect(run.text.hasSuffix("complete -o filenames -F __freshstore_whole_words freshstore\n"))
    }

    // MARK: Verbs and options

    @Test func `every verb in the help is offered`() async throws {
      let playground = try Playground()
      let verbs = try await playground.verbs().filter { !$0.contains(" ") }
      #expect(Set(try await bash(playground, "freshstore", "")).isSuperset(of: verbs))
      #expect(try await bash(playground, "freshstore", "doc") == ["doctor"])
    }

    @Test func `options and their fixed values are offered`() async throws {
      let playground = try Playground()
      let options = try await bash(playground, "freshstore", "get", "--stale")
      #expect(options == ["--stale-while-revalidate", "--stale-if-error"])
      #expect(
        try await bash(playground, "freshstore", "get", "--require", "") == ["json", "nonempty"])
      try Data().write(to: URL(fileURLWithPath: playground.file("news.db")))
      #expect(try await bash(playground, "freshstore", "stats", "--db", "new") == ["news.db"])
    }

    @Test func `arguments for files, collections and keys are completed as such`()
      async throws
    {
      let dump = try await Playground().runAlone(["--experimental-dump-help"]).object
      let root = try #require(dump["command"] as? [String: Any])
      for verb in try #require(root["subcommands"] as? [[String: Any]]) {
        for argument in verb["arguments"] as? [[String: Any]] ?? [] {
          guard argument["kind"] as? String != "flag", let name = argument["valueName"] as? String
          else { continue }
          let kind = (argument["completionKind"] as? [String: Any])?.keys.first
          let names = (argument["names"] as? [[String: Any]] ?? []).compactMap {
            $0["name"] as? String
          }
          let place = Comment(rawValue: "\(verb["commandName"] ?? "") \(names.first ?? name)")
          switch name {
          case "path", "file": #expect(kind == "file", place)
          case "folder", "directory": #expect(kind == "directory", place)
          case "collection", "key": #expect(kind == "custom", place)
          case "name" where names.contains("collection"): #expect(kind == "custom", place)
          default: break
          }
        }
      }
    }

    // MARK: The contents of the store

    @Test func `collections are offered`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let db = playground.database
      let names = try await bash(
        playground, "freshstore", "show", "--db", db, "--collection", "al")
      #expect(names == ["alpha", "alps"])
      #expect(
        try await bash(playground, "freshstore", "list", "--db", db, "--collection=al") == names)
      #expect(
        try await bash(playground, "freshstore", "watch", "--db", db, "")
          == ["alpha", "alps", "beta", "default", "http"])
    }

    @Test func `keys of the named collection are offered`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let db = playground.database
      for verb in ["get", "put", "show", "list", "explain", "mark", "remove"] {
        #expect(
          try await bash(playground, "freshstore", verb, "--db", db, "ap") == ["apple", "apricot"])
      }
      #expect(
        try await bash(playground, "freshstore", "show", "--db", db, "--collection", "beta", "")
          == ["inner"])
      #expect(
        try await bash(playground, "freshstore", "watch", "--db", db, "beta", "i") == ["inner"])
    }

    @Test(arguments: [
      ("http://example.org/", ["//example.org/a?x=1", "//example.org/b"]),
      ("http:", ["//example.org/a?x=1", "//example.org/b"]),
      ("ht", ["http://example.org/a?x=1", "http://example.org/b"]),
      ("http://example.org/a?x=", ["1"]),
    ])
    func `URLs are offered, though bash splits them`(
      typed: String, offered: [String]
    ) async throws {
      let playground = try Playground()
      try await fill(playground)
      #expect(
        try await bash(playground, "freshstore", "show", "--db", playground.database, typed)
          == offered)
    }

    @Test func `offered keys are never executed, and unsafe keys are left out`()
      async throws
    {
      let playground = try Playground()
      try await fill(playground)
      let offered = try await bash(
        playground, "freshstore", "show", "--db", playground.database, "")
      #expect(
        offered.prefix(5) == [
          "apple", "apricot", "it's", "two words", "x$(touch pwned)`touch pwned`",
        ])
      #expect(offered.count == 7)
      #expect(!FileManager.default.fileExists(atPath: playground.file("pwned")))
    }

    @Test func `only names with the prefix are found, up to the limit`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let names = StoredNames(of: playground.database)
      #expect(names.collections(beginningWith: "al", limit: 9) == ["alpha", "alps"])
      #expect(names.collections(beginningWith: "", limit: 2) == ["alpha", "alps"])
      #expect(names.keys(of: "default", beginningWith: "ap", limit: 9) == ["apple", "apricot"])
      #expect(names.keys(of: "default", beginningWith: "ap", limit: 1) == ["apple"])
      #expect(names.keys(of: "none", beginningWith: "", limit: 9).isEmpty)
      _ = try await playground.run("get", "k", "--tag", "news", "--tag", "nets", "--", "true")
      #expect(names.tags(beginningWith: "ne", limit: 9) == ["nets", "news"])
      #expect(names.tags(beginningWith: "new", limit: 9) == ["news"])
      _ = try await playground.run("write", "http://localhost:1/x", input: [1])
      #expect(names.writes(limit: 9) == ["1"])
    }

    @Test func `the number of offered keys is limited`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("default").put(
        Dictionary(uniqueKeysWithValues: (1000..<1500).map { ("\($0)", [1]) }))
      try await store.close()
      #expect(
        try await bash(playground, "freshstore", "show", "--db", playground.database, "1").count
          == 200)
      #expect(
        try await bash(playground, "freshstore", "show", "--db", playground.database, "149").count
          == 10)
    }

    @Test func `a completion leaves no trace`() async throws {
      let playground = try Playground()
      try await fill(playground)
      _ = try await bash(playground, "freshstore", "show", "--db", playground.database, "ap")
      let files = try FileManager.default.contentsOfDirectory(atPath: playground.path)
      #expect(files.filter { $0.hasPrefix("store") } == ["store.db"])
      let store = try Store(path: playground.database)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test(arguments: ["missing.db", "text", ".", "none/store.db", ""])
    func `without a readable store nothing is offered, and no error is printed`(
      name: String
    ) async throws {
      let playground = try Playground()
      try Data(repeating: 0x41, count: 5000).write(
        to: URL(fileURLWithPath: playground.file("text")))
      let offered = try await bash(
        playground, "freshstore", "show", "--db", playground.file(name), "a")
      #expect(offered.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: playground.file("missing.db")))
    }

    @Test func `without --db the default store is read, and not created`() async throws {
      let playground = try Playground()
      #expect(try await bash(playground, "freshstore", "show", "ap").isEmpty)
      #expect(!FileManager.default.fileExists(atPath: playground.file(".cache")))
      for key in ["apple", "pear"] {
        _ = try await playground.runAlone(["get", key, "--online", "--", "printf", "v"])
      }
      #expect(try await bash(playground, "freshstore", "show", "ap") == ["apple"])
    }
  }
#endif
