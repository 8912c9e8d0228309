#if CommandLine
  import Testing

  /// The command keeps the bytes that the system passes to it unchanged.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct PassedBytesTests {
    @Test func `two folders whose names are no UTF-8 have a store each`() async throws {
      let run = try await Playground().runShell(
        #"""
        one=$(printf 'store-\376'); two=$(printf 'store-\377')
        for name in "$one" "$two"; do
          mkdir "$folder/$name"; cd "$folder/$name"
          printf '%s' "$name" | freshstore put k --db store.db
        done
        for name in "$one" "$two"; do
          cd "$folder/$name"
          [ "$(freshstore show k --db store.db)" = "$name" ] && echo own
        done
        ls -d "$folder"/store-* | wc -l
        """#)
      #expect(run.text == "own\nown\n2\n", "\(run.error)")
    }

    @Test(arguments: ["FRESHSTORE_DB", "FRESHSTORE_CONFIG", "FRESHSTORE_FLEET"])
    func `a variable that is no UTF-8 is refused, and nothing is made`(
      variable: String
    ) async throws {
      let run = try await Playground().runShell(
        #"""
        export \#(variable)=$(printf '%s/\377.db' "$folder")
        printf v | freshstore put k
        echo "$? $(ls "$folder" | wc -l)"
        """#)
      #expect(run.text.hasPrefix("64 "), "\(run.error)")
      #expect(run.error.contains("\(variable) is not UTF-8"), "\(run.error)")
    }

    @Test(
      .enabled("namespaces need root, or user namespaces") {
        try await Playground().runShell("unshare -rm true").status == 0
      })
    func `a command knows its arguments without /proc`() async throws {
      let run = try await Playground().runShell(
        """
        exec unshare -rm sh -ec '
          mount -t tmpfs none /proc
          printf v | freshstore put k --db "$db" > /dev/null
          freshstore show k --db "$db"'
        """)
      #expect(run.status == 0, "\(run.error)")
      #expect(run.text == "v")
    }
  }
#endif
