#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore fleet marks`: marks that are kept for the fleet, or that the fleet has refused.
  struct FleetMarksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "marks",
      abstract: "List, deliver or drop marks of this host that the fleet does not have.",
      discussion: """
        A mark that was made while the fleet was out of reach (--fleet-alone keep) is delivered by the next get, \
        mark, sweep or sync run that reaches it, or by --retry: it is listed as kept until then. One that the fleet \
        refuses for good, as it is beyond its limits, stays here as refused: this host has applied it, and the others \
        do not know of it. Until it is dropped, this host asks the source for what it covers. The columns are number, \
        state, what it covers, its reason, and why the fleet has refused it.

        EXAMPLES
          freshstore fleet marks
          freshstore fleet marks --retry --fleet postgresql://news@db.example.org/fleet
          freshstore fleet marks --drop 17 18
          freshstore fleet marks --drop --json > dropped.jsonl

        \(ExitStatus.help(
          (.served, "done, even if there are none"),
          (.nothingToServe, "one of the numbers is not among them; the others were dropped"),
          (.refused, "--retry: the fleet has refused some of them again"),
          (.store, "--retry: the fleet is out of reach, or has not taken all; they are delivered later")))
        """)

    @Argument(help: "With --drop: the numbers of refused marks. (default: all)") var number:
      [Int64] = []
    @Flag(help: "Deliver them once more.") var retry = false
    @Flag(help: "Forget those that were refused: the other hosts never hear of them.") var drop =
      false
    @OptionGroup(title: "Fleet") var fleet: FleetOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard !(retry && drop) else {
        throw ValidationError("--retry and --drop exclude each other; choose one of them")
      }
      guard number.isEmpty || drop else { throw ValidationError("numbers are for --drop") }
      guard !retry || fleet.address != nil else {
        throw ValidationError("name the fleet by --fleet or \(FleetAddress.variable)")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        if retry { return try await deliver() }
        if drop {
          return try await OpenStore.use(store, mustExist: true) { store in
            try await forget(store)
          }
        }
        try await OpenStore.readIfThere(store) { store in
          guard let store else { return }
          try list(store)
        }
      }
    }

    private func deliver() async throws {
      let member = try FleetRun(fleet, FleetOptions(), beginning: .nothing, isQuiet: true)
      try await OpenStore.use(store, mustExist: true, fleet: member) { store in
        let kept = try store.quickStatistics().work.keptMarks
        guard try await store.retryRefusedFleetMarks() + kept > 0 else { return }
        var failure: SharedTierError?
        do throws(StoreError) {
          try await store.takeInFleetMarks()
        } catch {
          guard let ofTier = error.sharedTierFailure else { throw error }
          failure = ofTier
        }
        let refused = try store.refusedFleetMarks()
        try show(refused)
        let left = try store.quickStatistics().work.keptMarks
        if left > 0 {
          let reason =
            (failure ?? member?.notes.failure).map { ": " + CommandFailure.words(of: $0) } ?? ""
          throw CommandFailure(
            .store,
            "marks that the fleet has not taken: \(left)\(reason); they stay here: see to its database, and "
              + "deliver them by --retry once more")
        }
        if let failure { throw CommandFailure(failure) }
        if !refused.isEmpty {
          throw CommandFailure(.refused, "marks that were refused again: \(refused.count)")
        }
      }
    }

    private func forget(_ store: Store) async throws {
      let refused = try store.refusedFleetMarks()
      let chosen = number.isEmpty ? refused : refused.filter { number.contains($0.id) }
      try await store.dropRefusedFleetMarks(chosen)
      try show(chosen)
      let missing = Set(number).subtracting(chosen.map(\.id)).sorted()
      guard !missing.isEmpty else { return }
      let words = missing.map { "\($0)" }.joined(separator: ", ")
      throw CommandFailure(
        .nothingToServe, "there is no refused mark \(words); see freshstore fleet marks")
    }

    private func list(_ store: Store) throws {
      try list { add in
        var last: Int64 = 0
        while true {
          let kept = try store.keptFleetMarks(Self.page, after: last)
          for mark in kept { try add(mark.fields, mark.cells) }
          guard kept.count == Self.page, let end = kept.last else { break }
          last = end.id
        }
        for mark in try store.refusedFleetMarks() { try add(mark.fields, mark.cells) }
      }
    }

    private static let page = 500

    private func show(_ marks: [RefusedMark]) throws {
      try list { add in
        for mark in marks { try add(mark.fields, mark.cells) }
      }
    }

    /// Prints the marks that the body adds, one per line.
    private func list(
      _ body: (_ add: (JSONFields, [String]) throws -> Void) throws -> Void
    ) throws {
      var table = Table(RefusedMark.columns, isAligned: !output.json && Process.outputIsTerminal)
      try body { fields, cells in
        if output.json {
          try StandardOutput.json(fields)
        } else {
          try table.add(cells)
        }
      }
      try table.finish()
    }
  }

  extension RefusedMark {
    /// The columns of `fleet marks`, also for kept marks.
    static let columns = [
      Table.Column("NUMBER", isNumber: true), Table.Column("STATE"),
      Table.Column("COVERS", isShortened: true), Table.Column("REASON"),
      Table.Column("REFUSED BECAUSE"),
    ]

    /// The mark in a listing.
    var cells: [String] {
      ["\(id)", "refused", scope.words, reason, refusal].map(Console.printable)
    }

    /// The same for programs.
    var fields: JSONFields {
      [
        "number": id, "state": "refused", "covers": scope.fields, "reason": reason,
        "refusal": refusal,
      ]
    }
  }

  extension KeptMark {
    /// The mark in a listing.
    var cells: [String] { ["\(id)", "kept", scope.words, reason, ""].map(Console.printable) }

    /// The same for programs.
    var fields: JSONFields {
      ["number": id, "state": "kept", "covers": scope.fields, "reason": reason]
    }
  }

  extension SharedMark.Scope {
    /// The records that a mark covers; names that are not UTF-8 are repaired.
    fileprivate var fields: JSONFields {
      func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
      return switch self {
      case .key(let key): ["collection": text(key.collection), "key": text(key.key)]
      case .tag(let tag): ["tag": text(tag)]
      case .prefix(let prefix, let name): ["collection": text(name), "prefix": text(prefix)]
      case .collection(let name): ["collection": text(name)]
      case .all: ["all": true]
      }
    }
  }
#endif
