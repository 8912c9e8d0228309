#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The local writes that a verb acts on.
  struct OutboxSelection: ParsableArguments {
    @Argument(
      help: "The numbers of writes, as freshstore outbox list shows them.", completion: .writes)
    var number: [OutboxEntry.ID] = []
    @Flag(help: "Every write that is parked.") var allParked = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard number.isEmpty == allParked else {
        throw ValidationError("say which writes: their numbers, or --all-parked")
      }
    }

    /// Applies an action to the writes and shows their new state; exits with 4 when one of the
    /// numbers does not exist.
    func run(
      _ change: @escaping @Sendable (Store, [OutboxEntry.ID]) async throws -> [OutboxEntry]
    ) async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in
          let ids = allParked ? try parked(store) : number
          let entries = try await change(store, ids)
          for entry in entries { try output.print(entry.fields, or: [entry.line]) }
          let missing = Set(ids).subtracting(entries.map(\.id)).sorted()
          guard !missing.isEmpty else { return }
          throw CommandFailure.noWrites(missing)
        }
      }
    }

    private func parked(_ store: Store) throws(StoreError) -> [OutboxEntry.ID] {
      try store.outbox(state: .parked, limit: .max).map(\.id)
    }
  }
#endif
