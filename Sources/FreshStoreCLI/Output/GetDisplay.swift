#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Platform
  internal import Strategies

  /// The way in which the answer to a get is shown.
  struct GetDisplay: Sendable {
    /// The file of the value; `nil` for standard output.
    let file: OutputFile?
    let isJSON: Bool
    let isVerbose: Bool
    /// What the fleet has done; `nil` for a host alone.
    let fleet: FleetNotes?
    /// True where messages have to say which key they are about.
    let namesKeys: Bool
    /// True without a word about stale copies.
    let isQuiet: Bool
    let failsOnStale: Bool
    /// True when a value is shown only where it is new.
    let onlyIfChanged: Bool

    /// Shows an answer. Throws ``ExitStatus/unchanged`` when it had not to be shown.
    func show(_ gotten: Getting.Gotten, of getting: Getting) throws(CommandFailure) {
      let answer = gotten.answer
      let written = Result { () throws(CommandFailure) in
        try write(gotten, of: getting.name)
      }
      let prefix = namesKeys ? "\(Console.quoted(key: getting.name.key)): " : ""
      if !isQuiet {
        if let warning = answer.warning { Console.note(prefix + warning) }
        if gotten.isOfOtherCommand {
          Console.note(
            prefix
              + "this is the output of another command under the same key; --refresh runs this one")
        }
      }
      // Of a fleet without an answer the notes have told.
      if let failure = answer.storeFailure, answer.sharedTierFailure == nil {
        Console.note(prefix + "the value was not kept: \(failure)")
      }
      if isVerbose {
        let alone = answer.sharedTierFailure == nil ? "" : " without the fleet"
        Console.note(prefix + "\(answer.freshness.rawValue)\(alone), in \(gotten.duration.brief)")
        let limit = FleetConfiguration().sharedValueLimit
        if fleet != nil, answer.freshness == .fetched, answer.value.count > limit {
          Console.note(
            prefix
              + "the value stays with this host: the fleet shares no more than \(ByteCount.words(limit))"
          )
        }
      }
      let isWritten = try written.get()
      if failsOnStale, answer.freshness.isStale { throw CommandFailure(.servedStale) }
      if !isWritten { throw CommandFailure(.unchanged) }
    }

    /// The failure of a get, which a program finds in standard output.
    func failure(_ error: any Error, of name: RecordName) throws -> CommandFailure {
      if let error = error as? GetError {
        if isJSON { try StandardOutput.json(error.fields) }
        return CommandFailure(error)
      }
      let failure: CommandFailure
      switch error {
      case let error as StoreError: failure = CommandFailure(error)
      case let error as CommandFailure: failure = error
      default: throw error
      }
      if isJSON, let message = failure.message {
        let code = failure.status == .nothingToServe ? "missing" : "\(failure.status)"
        let fields: JSONFields = [
          "collection": name.collection, "key": name.key,
          "error": ["code": code, "message": message] as JSONFields,
        ]
        try StandardOutput.json(fields)
      }
      return failure
    }

    /// False when nothing had to be written.
    private func write(
      _ gotten: Getting.Gotten, of name: RecordName
    ) throws(CommandFailure) -> Bool {
      if let file { return try file.write(gotten.answer.value, ifChanged: onlyIfChanged) }
      if onlyIfChanged, !gotten.isNews { return false }
      if isJSON {
        let answer = gotten.answer
        let part = fleet.map { notes -> JSONFields in
          let failure = answer.sharedTierFailure ?? notes.failure
          let owner = notes.owner(of: RecordID(name.collection, name.key))
          return ["isReached": failure == nil, "from": owner, "error": failure?.fields]
        }
        try StandardOutput.json(answer.fields(in: name.collection, fleet: part))
      } else {
        try StandardOutput.value(gotten.answer.value)
      }
      return true
    }
  }
#endif
