#if CommandLine && os(Linux)
  import Foundation
  import Glibc
  import Testing

  /// The access of an unprivileged user to the files of another user; root is needed to act as both.
  @Suite(.serialized, .enabled("needs root") { await OtherUser.isPossible() })
  struct PermissionTests {
    /// A store of root's in a folder that all may enter, changed by a script; then the output of a verb.
    private func run(_ change: String, _ verb: String) async throws -> Playground.Run {
      let playground = try Playground()
      return try await playground.runShell(
        """
        chmod 755 $folder && mkdir $folder/d && db=$folder/d/store.db && export db
        printf old | freshstore put --db $db k --expiry 1d
        chmod 755 $folder/d && chmod 644 $db
        \(change)
        before=$(cd $folder/d && ls -la --time-style=+ && sha256sum *)
        \(OtherUser.command) freshstore \(verb)
        status=$?
        after=$(cd $folder/d && ls -la --time-style=+ && sha256sum *)
        [ "$before" = "$after" ] || { echo "CHANGED: $before $after" >&2; }
        exit $status
        """)
    }

    @Test(arguments: [
      "show --db $db k", "get --db $db k -- echo new", "list --db $db", "check --db $db",
      "put --db $db k < /dev/null", "sweep --db $db", "recover $db $folder/d/new.db",
    ])
    func `an unreadable file is refused by every verb, and left`(
      _ verb: String
    ) async throws {
      let run = try await run("chmod 600 $db", verb)
      #expect([7, 74].contains(run.status), "\(run.status) \(run.error)")
      #expect(
        run.error.hasPrefix("freshstore: cannot ") && !run.error.contains("CHANGED"), "\(run.error)"
      )
      #expect(run.output.isEmpty)
      // SQLite, whose errors may pass, is not asked.
      #expect(!run.error.contains("[SQLite"), "\(run.error)")
    }

    @Test(arguments: ["put --db $db k2 < /dev/null", "mark --db $db k", "sweep --db $db"])
    func `a read-only file is not written`(_ verb: String) async throws {
      let run = try await run(":", verb)
      #expect(run.status == 7, "\(run.status) \(run.error)")
      #expect(!run.error.contains("CHANGED"), "\(run.error)")
    }

    @Test(
      arguments: [
        "show --db $db k", "list --db $db", "explain --db $db k", "check --db $db",
        "get --db $db k -- echo new",
      ],
      [":", "chmod 777 $folder/d"])
    func `a reader leaves nothing behind, whether or not the folder is writable`(
      _ verb: String, _ change: String
    ) async throws {
      let run = try await run("chown 1001 $db; \(change)", verb)
      #expect(run.status == 0 && !run.output.isEmpty, "\(run.status) \(run.error)")
      #expect(!run.error.contains("CHANGED"), "\(run.error)")
    }

    @Test func `a reader beside an owner at work sees its commits, and the owner keeps writing`()
      async throws
    {
      let playground = try Playground()
      let owner = "setpriv --reuid 1001 --regid 1001 --clear-groups"
      let run = try await playground.runShell(
        """
        chmod 755 $folder && mkdir $folder/d && chmod 777 $folder/d && db=$folder/d/store.db
        printf old | \(owner) freshstore put --db $db k --expiry 1d && chmod 644 $db
        mkfifo $folder/go && chmod 666 $folder/go
        \(owner) freshstore get --db $db other --online -- sh -c 'cat $0' $folder/go &
        until [ -s $db-wal ]; do :; done
        \(OtherUser.command) freshstore show --db $db k || exit 2
        printf new | \(owner) freshstore put --db $db k --expiry 1d || exit 3
        \(OtherUser.command) freshstore show --db $db k || exit 4
        \(OtherUser.command) freshstore put --db $db k < /dev/null && exit 5
        printf got > $folder/go; wait $!
        \(OtherUser.command) freshstore show --db $db other || exit 6
        printf again | \(owner) freshstore put --db $db k || exit 7
        ls $folder/d >&2
        """)
      #expect(run.status == 0, "\(run.status) \(run.error)")
      #expect(run.text == "oldnewgotgot", "\(run.text)")
      // The owner of the owners' file is the user who created it.
      let left = run.error.split(separator: "\n").drop { $0 != "store.db" }
      #expect(left == ["store.db"] || left == ["store.db", "store.db-owners"], "\(run.error)")
    }

    @Test func `a get prints its fetched value where nothing can be stored`() async throws {
      let run = try await run(":", "get --db $db other --online -- echo new")
      #expect(run.status == 0 && run.text == "new\n", "\(run.status) \(run.error)")
      #expect(!run.error.contains("CHANGED"), "\(run.error)")
    }

    @Test(arguments: ["show --db $db k", "put --db $db k < /dev/null", "doctor --db $db"])
    func `a folder that may not be entered is reported`(_ verb: String) async throws {
      let run = try await run("chmod 700 $folder/d", verb)
      #expect(run.status == 7, "\(run.error)")
      #expect(!run.error.contains("CHANGED"), "\(run.error)")
    }

    @Test func `a store is not created in a folder without write permission`() async throws {
      let run = try await run(":", "put --db $folder/d/new.db k < /dev/null")
      #expect(run.status == 7 && run.error.contains("cannot be written"), "\(run.error)")
    }

    @Test func `a headers file that others may read is not used`() async throws {
      let run = try await run(
        "echo 'http://localhost A: b' > $folder/d/h; chown 65534 $folder/d/h; chmod 644 $folder/d/h",
        "sync run --once --db $db --headers $folder/d/h")
      #expect(run.status == 64 && run.error.contains("chmod 600"), "\(run.error)")
    }
  }
#endif
