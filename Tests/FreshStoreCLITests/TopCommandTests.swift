#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Strategies
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct TopCommandTests {
    /// Makes a store with fresh, stale and absent records, and with waiting and parked writes, in two collections.
    private func make(_ playground: Playground) async throws {
      let store = try Store(
        path: playground.database, configuration: Configuration(reachability: .fixed(.online)))
      let news = try store.bytes("news")
      try await news.put(["a": [1], "b": [1, 2]])
      try await news.put([1, 2, 3], for: "old", details: FetchDetails(expiry: .immediately))
      do throws(GetError) {
        _ = try await news.get("gone") { _ in .gone(FetchDetails()) }
      } catch {
        #expect(error.code == .absent)
      }
      let notes = try store.bytes("notes")
      _ = try await notes.write([1], for: "refused")
      _ = await notes.push(try await store.dueWrites(limit: 1)) { _ in .refused("no") }
      _ = try await notes.write([1], for: "waiting")
      _ = try await store.sweep()
      try await store.close()
    }

    private func expectSound(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    // MARK: Without a terminal

    @Test func `one plain frame is printed without a terminal`() async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await playground.run("top")
      #expect(run.status == 0)
      #expect(run.error.isEmpty)
      #expect(!run.text.contains("\u{1B}"))
      let rows = run.text.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      }
      let title = try #require(rows.firstIndex { $0.first == "COLLECTION" })
      #expect(rows[title + 1].prefix(6) == ["news", "2", "1", "1", "0", "0"])
      #expect(rows[title + 2].prefix(1) == ["notes"])
      #expect(rows[title + 2][4...5] == ["1", "1"])
      #expect(rows[title + 3].first == "all")
      #expect(run.text.contains("queue:   1 due"))
      #expect(run.text.contains("outbox:  1 waiting, 1 parked"))
      try await expectSound(playground)
    }

    @Test func `one frame as JSON has every figure`() async throws {
      let playground = try Playground()
      try await make(playground)
      let frame = try await playground.run("top", "--once", "--json").object
      let collections = try #require(frame["collections"] as? [[String: Any]])
      #expect(collections.map { $0["name"] as? String } == ["news", "notes"])
      #expect(collections[0]["fresh"] as? Int == 2)
      #expect(collections[0]["stale"] as? Int == 1)
      #expect(collections[0]["absent"] as? Int == 1)
      #expect(collections[1]["waitingWrites"] as? Int == 1)
      #expect(collections[1]["parkedWrites"] as? Int == 1)
      #expect(frame["due"] as? Int == 1)
      #expect(frame["isDueAtLeast"] as? Bool == false)
      #expect((frame["fileBytes"] as? Int ?? 0) > 0)
    }

    @Test func `the frames of --json report the commits of other programs, by kind`() async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await playground.runShell(
        """
        mkfifo "$folder/frames"
        freshstore top --json --interval 100ms --db "$db" > "$folder/frames" &
        top=$!
        exec 3< "$folder/frames"
        read -r first <&3
        for key in 1 2 3; do echo v | freshstore put $key --collection other --db "$db"; done
        freshstore mark 1 --collection other --db "$db" >/dev/null
        while read -r line <&3; do
          printf '%s\\n' "$line"
          case $line in *'"name":"other"'*'"stale":1'*) break ;; esac
        done
        kill -TERM $top
        wait $top
        echo "status $?"
        """)
      #expect(run.text.hasSuffix("status 143\n"))
      var counts: [String: Int] = [:]
      for line in run.text.split(separator: "\n").dropLast() {
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let frame = try #require(json as? [String: Any])
        let changes = try #require(frame["changes"] as? [String: Int])
        counts.merge(changes, uniquingKeysWith: +)
      }
      #expect(counts == ["stored": 3, "marked": 1])
      #expect(try await playground.runShell("test -e \"$db-wal\"").status == 1)
      try await expectSound(playground)
    }

    @Test func `a missing store has no view, and is not created`() async throws {
      let playground = try Playground()
      for arguments in [["--once"], ["--json"]] {
        let run = try await playground.runAlone(["top", "--db", playground.database] + arguments)
        #expect(run.status == 7)
        #expect(run.error.contains("there is no store"))
      }
      #expect(!FileManager.default.fileExists(atPath: playground.database))
    }

    @Test(arguments: [["--interval", "0"], ["--interval", "99ms"], ["--interval", "x"]])
    func `an invalid interval is refused`(arguments: [String]) async throws {
      #expect(try await Playground().runAlone(["top"] + arguments).status == 64)
    }

    @Test func `its help has an example and its exit codes`() async throws {
      let run = try await Playground().runAlone(["top", "--help"])
      #expect(run.status == 0)
      #expect(run.text.contains("EXAMPLES\n  freshstore top\n"))
      #expect(run.text.contains("  0    the frame was printed, or q was pressed"))
    }

    // MARK: On a terminal

    /// Runs the view on a pseudo-terminal.
    ///
    /// The script runs once a line of the view has `awaited`. It has the terminal's keyboard as
    /// descriptor 4, the terminal's name as `$tty` and the view's process as `$top`.
    ///
    /// The result has the output until the view has ended, its exit code, and whether the
    /// terminal's settings are as before.
    private func view(
      _ playground: Playground, size: String = "rows 24 cols 80", until awaited: String,
      then script: String
    ) async throws -> Playground.Run {
      try await playground.runShell(
        """
        mkfifo "$folder/keys" "$folder/shown"
        cat > "$folder/inner" <<'END'
        stty \(size)
        tty > "$folder/tty"
        stty -g > "$folder/before"
        sh -c 'echo $$ > "$folder/pid"; exec env --default-signal freshstore top \
          --interval 100ms --db "$db"'
        echo "status $?" > "$folder/status"
        stty -g > "$folder/after"
        END
        script -qfc "sh $folder/inner" /dev/null < "$folder/keys" > "$folder/shown" &
        exec 4> "$folder/keys" 3< "$folder/shown"
        while read -r line <&3; do
          printf '%s\\n' "$line"
          case $line in *'\(awaited)'*) break ;; esac
        done
        tty=$(cat "$folder/tty") top=$(cat "$folder/pid")
        \(script)
        exec 4>&-
        cat <&3
        wait
        cat "$folder/status"
        cmp "$folder/before" "$folder/after" && echo restored
        """)
    }

    private let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private let leave = "\u{1B}[?25h\u{1B}[?1049l"

    @Test(arguments: [
      ("printf q >&4", 0), ("printf Q >&4", 0), ("kill -TERM $top", 143), ("kill -INT $top", 130),
      ("printf '\\003' >&4", 130),
    ])
    func `the view is drawn, and the terminal is restored at its end`(
      script: String, status: Int
    ) async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await view(playground, until: "news", then: script)
      #expect(run.text.hasSuffix("status \(status)\nrestored\n"))
      let shown = try #require(run.text.firstRange(of: enter))
      let left = try #require(run.text.firstRange(of: leave))
      let frames = run.text[shown.upperBound..<left.lowerBound]
      #expect(frames.contains("freshstore top"))
      #expect(frames.contains("COLLECTION"))
      #expect(run.text.ranges(of: leave).count == 1)
      // Nothing is drawn after the screen was given back.
      #expect(run.text[left.upperBound...].hasPrefix("status"))
      try await expectSound(playground)
    }

    @Test func `an error restores the terminal, too, and is printed afterwards`() async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await view(
        playground, until: "news", then: "printf other > $folder/other; mv $folder/other $db")
      #expect(run.text.hasSuffix("status 7\nrestored\n"))
      let left = try #require(run.text.firstRange(of: leave))
      #expect(run.text[..<left.lowerBound].contains(enter))
      #expect(run.text[left.upperBound...].contains("freshstore: cannot "))
    }

    @Test func `lines and frames are cut at the terminal's size`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      for number in 10..<40 {
        try await store.bytes("collection-\(number)-\(String(repeating: "x", count: 60))")
          .put([1], for: "k")
      }
      try await store.close()
      let run = try await view(
        playground, size: "rows 12 cols 30", until: "28 more", then: "printf q >&4")
      let start = try #require(run.text.ranges(of: "\u{1B}[H").last?.upperBound)
      let end = try #require(run.text.ranges(of: "\u{1B}[J").last?.lowerBound)
      let lines = run.text[start..<end].replacing("\u{1B}[K", with: "").split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline
      ).filter { !$0.isEmpty }
      #expect(lines.count > 5)
      #expect(lines.count <= 12)
      #expect(lines.allSatisfy { $0.count <= 30 })
      #expect(lines.contains { $0.hasPrefix("… 28 more") })
      try await expectSound(playground)
    }

    @Test func `a new size is drawn at once`() async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await view(
        playground, until: "news",
        then: """
          stty -F "$tty" rows 24 cols 20
          end=$(printf '\\033[K')
          while read -r line <&3; do
            printf '%s\\n' "$line"
            case $line in *'top  /'???"$end"*) break ;; esac
          done
          printf q >&4
          """)
      #expect(run.text.hasSuffix("status 0\nrestored\n"))
      let last = try #require(run.text.ranges(of: "\u{1B}[H").last?.upperBound)
      let line = run.text[last...].prefix { $0 != "\u{1B}" }
      #expect(line.count == 20)
    }

    @Test func `control characters in a name do not act on the terminal`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("evil\u{1B}]0;title\u{7}\u{9B}2J\nname").put([1], for: "k")
      try await store.close()
      let run = try await view(playground, until: "evil", then: "printf q >&4")
      #expect(run.text.contains("evil ]0;title  2J name"))
      #expect(!run.text.contains("\u{1B}]"))
      #expect(!run.text.contains("\u{7}"))
      #expect(!run.text.contains("\u{9B}"))
    }

    @Test func `with standard input elsewhere the view runs until a signal`() async throws {
      let playground = try Playground()
      try await make(playground)
      let run = try await playground.runShell(
        """
        mkfifo "$folder/shown"
        script -qfc 'sh -c "echo \\$\\$ > $folder/pid; \
          exec env --default-signal freshstore top --interval 100ms --db $db < /dev/null"; \
          echo "status $?"' /dev/null < /dev/null > "$folder/shown" &
        exec 3< "$folder/shown"
        seen=0
        while read -r line <&3; do
          case $line in *news*) seen=$((seen + 1)) ;; esac
          if [ $seen = 3 ]; then kill -TERM $(cat "$folder/pid"); break; fi
        done
        cat <&3
        """)
      #expect(run.text.contains("status 143"))
    }
  }
#endif
