#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshSync

  /// `freshstore outbox send`: sends one local write now.
  struct OutboxSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract:
        "Send one local write now, also one that is parked, beside a daemon or without one.",
      discussion: """
        When its source holds another change than the write was made upon, it is parked again with what it \
        has met, for freshstore outbox show and correct. With --over it replaces that, together with the later \
        writes of its key that were made from it; no other write is touched. An earlier write of its key goes first.

        EXAMPLES
          freshstore outbox send 17
          freshstore outbox send 17 --over

        \(ExitStatus.help(
          (.served, "its source has it"),
          (.nothingToServe, "there is no such write, or it was put off, because its source is out of reach or paused"),
          (.fetchFailed, "the push failed; it is tried again later"),
          (.refused, "it is parked, or somebody else is sending it")))
        """)

    @Argument(
      help: "The number of the write, as freshstore outbox list shows it.", completion: .writes)
    var number: OutboxEntry.ID
    @Flag(help: "Send it over what its source holds.") var over = false
    @OptionGroup var headers: HeadersOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        let sources = try connection.sources(headers)
        try await OpenStore.use(store) { store in
          guard let write = try store.localWrite(number) else {
            throw CommandFailure.noWrites([number])
          }
          try write.refuseOtherFormat()
          let syncing = try SyncRun(
            store, options: SyncOptions(), conflicts: over ? .clientWins : .parks, sources: sources)
          guard let outcome = try await syncing.send(write) else {
            throw CommandFailure.noWrites([number])
          }
          try tell(outcome)
        }
      }
    }

    private func tell(_ outcome: PushOutcome<[UInt8]>) throws {
      switch outcome {
      case .accepted: try StandardOutput.line("sent")
      case .parked(let reason):
        throw CommandFailure(
          .refused, "parked: \(reason); see freshstore outbox show \(number)")
      case .deferred(_, let reason, let failure):
        throw CommandFailure(
          failure == nil ? .nothingToServe : .fetchFailed, "not sent: \(reason)")
      case .discarded, .superseded:
        throw CommandFailure(.refused, "the local write was dropped, or taken over, meanwhile")
      }
    }
  }
#endif
