#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The way in which the answer to a get is shown.
  struct GetDisplay: Sendable {
    /// The file of the value; `nil` for standard output.
    let file: OutputFile?
    let isJSON: Bool
    let isVerbose: Bool
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
      if let failure = answer.sharedTierFailure {
        Console.note(prefix + "fetched without the fleet: \(failure)")
      } else if let failure = answer.storeFailure {
        Console.note(prefix + "the value was not kept: \(failure)")
      }
      if isVerbose {
        Console.note(prefix + "\(answer.freshness.rawValue), in \(gotten.duration.brief)")
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
        try StandardOutput.json(gotten.answer.fields(in: name.collection))
      } else {
        try StandardOutput.value(gotten.answer.value)
      }
      return true
    }
  }
#endif
