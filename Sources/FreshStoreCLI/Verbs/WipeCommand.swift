#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Platform

  /// `freshstore wipe`: removes all that is in the store.
  struct WipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "wipe",
      abstract: "Remove all that is in the store, to the last byte in its files.",
      discussion: """
        For somebody who signs out, or hands a machine on. It says what will be lost, and asks on a \
        terminal; elsewhere it takes --yes. While local writes have not reached their sources it \
        refuses, unless --drop-unsent gives them up.

        Other programs that have the store open see an empty one, and what they are fetching is not \
        stored. Files that were moved aside because the store was damaged hold what it held then: they \
        stay, and are named, unless --damaged-files deletes them. Backups, exports and snapshots are \
        not reached. Where a program that reads keeps the former bytes in the log, the wipe fails with 7 \
        although the store is empty: wipe it again once that has ended.

        EXAMPLES
          freshstore wipe
          freshstore sync run --once && freshstore wipe --yes --damaged-files

        \(ExitStatus.help(
          (.served, "wiped"),
          (.refused, "nothing was removed: the answer was no, or local writes are not sent")))
        """)

    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Give up local writes that their sources do not have.") var dropUnsent = false
    @Flag(help: "Delete the files that were moved aside because the store was damaged.")
    var damagedFiles = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard yes || Process.inputIsTerminal && Process.errorIsTerminal else {
        throw ValidationError("there is no terminal to ask on; say --yes to remove all content")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store, mustExist: true) { store in try await wipe(store) }
      }
    }

    private func wipe(_ store: Store) async throws {
      let content = Content(try store.statistics())
      guard dropUnsent || content.unsent == 0 else {
        throw CommandFailure(
          .refused,
          "\(content.unsentWords) not reached their sources; freshstore sync run --once sends them, "
            + "--drop-unsent gives them up")
      }
      if !yes {
        Console.note("this removes \(content.words) from \(store.path)")
        guard Console.asks("remove them for good?") else {
          throw CommandFailure(.refused, "nothing was removed")
        }
      }
      let result = try await Console.whileWorking("wiping") {
        try await store.wipe(removingDamagedFiles: damagedFiles, droppingUnsent: dropUnsent)
      }
      for file in result.damagedFiles {
        Console.note(
          "\(file) was moved aside because the store was damaged, and holds what it held then; "
            + "--damaged-files deletes it")
      }
      let fields: JSONFields = [
        "records": content.records, "bytes": content.bytes, "unsent": content.unsent,
        "damagedFiles": result.damagedFiles, "removedFiles": result.removedFiles,
      ]
      try output.print(
        fields,
        or: ["removed \(content.words)"]
          + result.removedFiles.map { Console.printable("deleted \($0)") })
    }

    /// The content that is lost, as counted before.
    private struct Content {
      let records: Int
      let bytes: Int
      let unsent: Int

      init(_ statistics: Statistics) {
        records = statistics.collections.reduce(0) { $0 + $1.records + $1.absent }
        bytes = statistics.collections.reduce(0) { $0 + $1.bytes }
        unsent = statistics.waitingWrites + statistics.parkedWrites
      }

      var words: String {
        let writes = unsent == 1 ? "1 local write" : "\(unsent) local writes"
        return "\(RecordSelection.words(records)) with \(ByteCount.words(bytes))"
          + (unsent == 0 ? "" : " and \(writes) that no source has")
      }

      var unsentWords: String {
        unsent == 1 ? "1 local write has" : "\(unsent) local writes have"
      }
    }
  }
#endif
