#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore outbox correct`: replaces the content of a local write.
  struct OutboxCorrectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "correct",
      abstract:
        "Replace the content of a local write that its source refused, or that still waits.",
      discussion: """
        It keeps its number, its place, its address and its kind, and is due at once, as a new request: \
        by the daemon, or by freshstore sync run --once. A write that met another change at its source is \
        based on that from then on, as freshstore outbox show has shown it: it goes over that one, and over no \
        later one. The newest write of a key is what its record \
        shows. A patch takes its new document with --patch-file, and with --from what the object is \
        expected to become. What is corrected is named first, on standard error; when a merge or another \
        correction takes its place before the new value is there, nothing is changed. The write is shown as \
        it is then.

        EXAMPLES
          freshstore outbox show 17 --only mine > note.json
          freshstore outbox correct 17 --from note.json
          for v in base mine theirs; do freshstore outbox show 17 --only $v > $v; done
          git merge-file -p mine base theirs | freshstore outbox correct 17
          jq '.title |= .[:40]' note.json | freshstore outbox correct 17 && freshstore sync run --once

        \(ExitStatus.help(
          (.served, "done"), (.nothingToServe, "there is no such write"),
          (.refused, "the value was refused: --rules, --require or --max-size; a program made the write in a format of its own; or its content is another one by now")))
        """)

    @Argument(
      help: "The number of the write, as freshstore outbox list shows it.", completion: .writes)
    var number: OutboxEntry.ID
    @Option(
      help: ArgumentHelp(
        "The file with the new value, or - for standard input.", valueName: "path"),
      completion: .file())
    var from: String = "-"
    @Option(
      help: ArgumentHelp("The file with the new document of a patch.", valueName: "path"),
      completion: .file())
    var patchFile: String?
    @OptionGroup(title: "Values") var admission: AdmissionOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if patchFile == "-", from == "-" {
        throw ValidationError("standard input cannot be both the value and the patch")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        let gate = try admission.gate()
        let entry = try await OpenStore.use(
          store, configure: { [admission] in $0.maximumValueSize = admission.maxSize }
        ) { (store) async throws -> OutboxEntry in
          // The write is read before the value, which the user may still have to type.
          let seen = try seen(in: store)
          Console.note(words(for: seen))
          let value = try ValueFile.read(from, limit: admission.maxSize)
          let patch = try patchFile.map { (path) throws(CommandFailure) in
            try ValueFile.read(path, limit: admission.maxSize)
          }
          let collection = try gate.bytes(seen.collection, in: store)
          guard let corrected = try await collection.correct(seen, to: value, patch: patch) else {
            throw CommandFailure.noWrites([number])
          }
          return corrected
        }
        try output.print(entry.fields, or: [entry.line])
      }
    }

    private func seen(in store: Store) throws -> OutboxEntry {
      guard let found = try store.localWrite(number) else {
        throw CommandFailure.noWrites([number])
      }
      try found.refuseOtherFormat()
      return found.entry
    }

    private func words(for seen: OutboxEntry) -> String {
      let record = "\(seen.kind.rawValue) \(seen.collection) \(Console.quoted(key: seen.key))"
      return "correcting the \(seen.state.rawValue) local write \(seen.id), \(record)"
        + (seen.failure.map { ": \($0)" } ?? "")
    }
  }

  extension LocalWriteVersions {
    /// Throws when only the program that has made the write knows the meaning of its bytes.
    func refuseOtherFormat() throws(CommandFailure) {
      guard !isBytes else { return }
      throw CommandFailure(
        .refused,
        "the local write \(entry.id) was made by a program in a format of its own (\(format)); leave it to that"
      )
    }
  }
#endif
