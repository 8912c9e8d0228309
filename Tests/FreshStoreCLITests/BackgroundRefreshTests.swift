#if CommandLine
  import OriginServer
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct BackgroundRefreshTests {
    @Test func `A stale copy is printed at once and refreshed by a background process`()
      async throws
    {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script = "echo started > \"$0\"; read line < \"$1\"; printf two"
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      // This run ends while its refresh waits, so nothing of it is inherited.
      let stale = try await playground.run(
        "get", "k", "--stale-while-revalidate", "1h", "--", "sh", "-c", script, started.path,
        go.path)
      #expect(stale.status == 0)
      #expect(stale.text == "one")
      #expect(stale.error.contains("refreshed behind"))
      #expect(await started.line() == "started")
      go.write("go")
      // Waits for the lease of the refresh, and reads its result.
      #expect(try await playground.run("get", "k", "--", "printf", "three").text == "two")
    }

    @Test(arguments: ["/dev/fd/3 3< rules", "/dev/stdin < rules"])
    func `Where rules cannot be read again the get itself refreshes its copy`(
      rules: String
    ) async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "1")
      let stale = try await playground.runShell(
        """
        cd "$folder"
        echo '{"type": "number"}' > rules
        exec freshstore get k --db "$db" --stale-while-revalidate 1h --rules \(rules) -- printf 2
        """)
      #expect(stale.status == 0)
      #expect(stale.text == "1")
      #expect(try await playground.run("get", "k", "--", "printf", "3").text == "2")
    }

    @Test func `Where headers cannot be read again the get itself refreshes its copy with them`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=0, stale-while-revalidate=3600"], body: "value")
      }
      for _ in 1...2 {
        let run = try await playground.runShell(
          """
          echo '\(origin.url("")) X-Key: k' | freshstore get \(origin.url("/")) --online --db "$db" \
            --headers /dev/fd/0
          """)
        #expect(run.status == 0)
        #expect(run.text == "value")
      }
      #expect(origin.requests.map { $0["X-Key"] } == ["k", "k"])
      await origin.stop()
    }

    @Test func `A get whose own refresh fails has served its copy anyway, and says so`()
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "1")
      let run = try await playground.runShell(
        """
        echo '{"type": "number"}' | freshstore get k --db "$db" --stale-while-revalidate 1h \
          --rules /dev/stdin -- false
        """)
      #expect(run.status == 0)
      #expect(run.text == "1")
      #expect(
        run.error.contains("the copy stays stale: the fetch failed: false ended with exit code 1\n")
      )
    }

    @Test func `One process refreshes a copy, however many gets are served the stale copy`()
      async throws
    {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script = "echo started > \"$0\"; read line < \"$1\"; printf two"
      let stale = [
        "get", "--db", playground.database, "k", "--stale-while-revalidate", "1h", "--", "sh", "-c",
        script, started.path, go.path,
      ]
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      #expect(try await playground.run(stale).text == "one")
      #expect(await started.line() == "started")
      for _ in 1...3 { #expect(try await playground.run(stale).text == "one") }
      let processes = try await playground.runShell(
        """
        grep -lz -- --refresh-behind /proc/[0-9]*/cmdline 2> /dev/null | while read -r file; do
          grep -qz -- "$db" "$file" && echo "$file"
        done
        """)
      #expect(processes.text.split(separator: "\n").count == 1)
      go.write("go")
      #expect(try await playground.run("get", "k", "--", "printf", "three").text == "two")
    }

    @Test func `--fail-on-stale counts a copy that is refreshed in the background as stale`()
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run(
        "get", "k", "--stale-while-revalidate", "1h", "--fail-on-stale", "--", "printf", "two")
      #expect(run.status == 3)
      #expect(run.text == "one")
    }

    @Test func `A copy past the window is fetched before the answer`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run(
        "get", "k", "--stale-while-revalidate", "0", "--", "printf", "two")
      #expect(run.text == "two")
      #expect(run.error == "")
    }
  }
#endif
