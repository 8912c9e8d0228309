#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore pin`: keeps records from being pruned.
  struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pin",
      abstract: "Keep records however old they are: no prune and no sweep removes them.",
      discussion: """
        A pinned record expires and is fetched again like any other; remove still removes it.

        EXAMPLES
          freshstore pin weather https://example.org/feed
          freshstore pin --off weather
          freshstore list --json | jq -r 'select(.isPinned) | .key'

        \(ExitStatus.help(
          (.served, "done"), (.nothingToServe, "one of the keys is not there; the others are pinned")))
        """)

    @Argument(help: "Keys or URLs.", completion: .keys) var key: [String]
    @Flag(help: "Let them be removed again.") var off = false
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions

    func validate() throws {
      for key in key { _ = try RecordName(key, collection: place.collection) }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in
          var missing = false
          for key in key {
            let name = try RecordName(key, collection: place.collection)
            if try await store.bytes(name.collection).setPinned(!off, for: name.key) { continue }
            missing = true
            name.noteMissing()
          }
          if missing { throw CommandFailure(.nothingToServe) }
        }
      }
    }
  }
#endif
