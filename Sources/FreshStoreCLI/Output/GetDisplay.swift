#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Platform
  internal import Strategies

  /// The display of the answer to a get.
  struct GetDisplay: Sendable {
    /// The file for the value; `nil` for standard output.
    let file: OutputFile?
    let isJSON: Bool
    let isVerbose: Bool
    /// The notes about the fleet; `nil` for a host alone.
    let fleet: FleetNotes?
    /// True when messages must name the key.
    let namesKeys: Bool
    /// True to leave out warnings about stale copies.
    let isQuiet: Bool
    let failsOnStale: Bool
    /// True to show a value only when it is new.
    let onlyIfChanged: Bool

    /// Shows an answer. Throws ``ExitStatus/unchanged`` when there was nothing to show.
    func show(_ outcome: SingleGet.Outcome, of get: SingleGet) throws(CommandFailure) {
      let answer = outcome.answer
      let written = Result { () throws(CommandFailure) in
        try write(outcome, of: get.name)
      }
      let prefix = namesKeys ? "\(Console.quoted(key: get.name.key)): " : ""
      if !isQuiet {
        if let warning = answer.warning { Console.note(prefix + warning) }
        if outcome.isOfOtherCommand {
          Console.note(
            prefix
              + "this is the output of another command under the same key; --refresh runs this one")
        }
      }
      // The notes report a fleet without a reply.
      if let failure = answer.storeFailure, answer.sharedTierFailure == nil {
        Console.note(prefix + "the value was not kept: \(failure)")
      }
      if isVerbose {
        let alone = answer.sharedTierFailure == nil ? "" : " without the fleet"
        Console.note(prefix + "\(answer.freshness.rawValue)\(alone), in \(outcome.duration.brief)")
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

    /// The failure of a get. With `--json` it is printed to standard output, too.
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

    /// Returns false when nothing had to be written.
    private func write(
      _ outcome: SingleGet.Outcome, of name: RecordName
    ) throws(CommandFailure) -> Bool {
      if let file { return try file.write(outcome.answer.value, ifChanged: onlyIfChanged) }
      if onlyIfChanged, !outcome.isNews { return false }
      if isJSON {
        let answer = outcome.answer
        let part = fleet.map { notes -> JSONFields in
          let failure = answer.sharedTierFailure ?? notes.failure
          let owner = notes.owner(of: RecordID(name.collection, name.key))
          return ["isReached": failure == nil, "from": owner, "error": failure?.fields]
        }
        try StandardOutput.json(answer.fields(in: name.collection, fleet: part))
      } else {
        try StandardOutput.value(outcome.answer.value)
      }
      return true
    }
  }

  extension Answer<[UInt8]> {
    /// The output of `get --json`; a value that is not UTF-8 is encoded.
    ///
    /// - Parameter fleet: The fleet's part in the answer; `nil` for a host alone.
    func fields(in collection: String, fleet: JSONFields?) -> JSONFields {
      JSONFields(value: value) + [
        "collection": collection,
        "key": key,
        "freshness": freshness.rawValue,
        "ageSeconds": age?.inSeconds,
        "expiry": expiry.name,
        "expirySeconds": expiry.inSeconds,
        "lastUpdate": lastUpdate?.description,
        "source": source,
        "contentType": contentType,
        "decision": decision?.fields,
        "error": fetchFailure?.fields,
        "storeError": sharedTierFailure == nil ? storeFailure?.fields : nil,
        "fleet": fleet,
        "isRefreshing": needsRefresh ? true : nil,
      ]
    }

    /// The warning about a value that may differ from that of the source; `nil` for none.
    var warning: String? {
      let copy = age.map { "a stale copy, \($0.brief) old" } ?? "a stale copy"
      let failure = fetchFailure?.message ?? "the fetch failed"
      switch freshness {
      case .fresh:
        return fetchFailure.map { "\($0.message); the copy is still fresh" }
      case .fetched, .revalidated: return nil
      case .staleWhileRevalidating: return "serving \(copy), while it is refreshed behind"
      case .staleOnError: return "serving \(copy): \(failure)"
      case .staleAfterTimeout: return "serving \(copy): the fetch takes long"
      case .staleOffline:
        return "offline, serving \(copy)" + (decision.map { ": \($0.cause)" } ?? "")
      case .stale: return "serving \(copy)"
      }
    }
  }

  extension GetError {
    /// The output of `get --json` without a value.
    var fields: JSONFields {
      [
        "collection": collection,
        "key": key,
        "decision": decision?.fields,
        "error": ["code": name, "message": CommandFailure(self).message ?? ""] as JSONFields,
        "storeError": storeFailure?.fields,
      ]
    }

    /// A stable name.
    private var name: String {
      switch code {
      case .offline: "offline"
      case .fetchFailed: fetchFailure?.name ?? "fetch-failed"
      case .absent: "absent"
      case .stale: "stale"
      case .missing: "missing"
      case .cancelled: "cancelled"
      case .store: "store"
      }
    }
  }

  extension StoreError {
    fileprivate var fields: JSONFields { ["code": "store", "message": "\(self)"] }
  }

  extension FetchFailure {
    fileprivate var fields: JSONFields { ["code": name, "message": message] }

    /// A stable name.
    fileprivate var name: String {
      switch code {
      case .thrown, .notAnswered, .notModifiedWithoutCopy: "fetch-failed"
      case .timedOut: "timed-out"
      case .refused, .notStorable: "refused"
      case .offline: "offline"
      case .originIsDown: "origin-is-down"
      case .pausing: "pausing"
      case .held: "held"
      case .cancelled: "cancelled"
      }
    }
  }
#endif
