#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// `freshstore doctor`: all problems of a store, in one look.
  struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor",
      abstract: "Report what is wrong with the store or its surroundings; change nothing.",
      discussion: """
        Looks at the file and its format, its structure, permissions, the file system and its room, \
        the log and who keeps it from being emptied, SQLite, damaged files that were moved aside, \
        sweeps, the outbox, the refetch queue, origins that are left alone, the fleet, the clock, and the \
        ways out of this host. A fleet is given 5 seconds, so as to say how long commands would have to wait. One line each: how it is (ok, warning or problem), what was looked at, \
        what was found and what it means, and after a semicolon what to do next.

        Nothing is made, repaired or changed, not even a file beside the database; so it is safe on a store that is missing, damaged, of another program, or in use. The structure is checked \
        by a read of the whole file; freshstore check looks at every record, too.

        EXAMPLES
          freshstore doctor
          freshstore doctor https://example.org 192.0.2.7
          freshstore doctor --fleet postgresql://news@db.example.org/fleet
          freshstore doctor --json | jq -r '.findings[] | select(.level != "ok") | .message'

        EXIT CODES
          0    nothing is a problem; there may be warnings
          7    something is a problem
          64   the arguments are wrong
        """)

    @Argument(
      help:
        "Sources to ask the kernel about: addresses, host names or URLs. (default: the Internet)")
    var target: [String] = []

    @OptionGroup(title: "Fleet") var fleet: FleetOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      for text in target where text.isEmpty {
        throw ValidationError("a target is empty; name an address, a host or a URL")
      }
      if store.db == "" { throw ValidationError("the path of a store must not be empty") }
    }

    func run() async throws {
      try await Session.run { [self] in
        let targets =
          try target.isEmpty ? [ReachabilityTarget()] : target.map(ReachabilityTarget.init)
        let path = try store.path ?? DefaultPath.find()
        Console.progress("looking")
        let diagnosis = Diagnosis(of: path)
        let look = await lookAtFleet(diagnosis)
        Console.endProgress()
        let doctor = Doctor(diagnosis: diagnosis, isDefaultPath: store.path == nil)
        let findings =
          doctor.findings + [look?.finding ?? unnamedFleet(diagnosis)].compactMap(\.self)
          + Doctor.network(targets)
          + [version(diagnosis)]
        try tell(diagnosis, findings, look)
      }
    }

    /// The look at the fleet from this host's place; `nil` for a host alone.
    private func lookAtFleet(_ diagnosis: Diagnosis) async -> FleetLook? {
      guard let address = fleet.address else { return nil }
      var place: FleetPlace?
      if case .store(let facts) = diagnosis.content { place = facts.fleet }
      return await FleetLook(at: address, fleet, .looking, from: place, at: .rights)
    }

    /// The finding for a store that belongs to a fleet when no fleet is named.
    private func unnamedFleet(_ diagnosis: Diagnosis) -> Finding? {
      guard fleet.isUnnamed, case .store(let facts) = diagnosis.content, facts.fleet != nil else {
        return nil
      }
      return .warning(
        "fleet", "this store belongs to a fleet, and none is named here",
        "name it by --fleet or \(FleetAddress.variable), or say that there is none by --fleet ''")
    }

    private func version(_ diagnosis: Diagnosis) -> Finding {
      .ok(
        "version",
        "freshstore \(FreshStoreCommand.configuration.version) writes the format "
          + "\(diagnosis.supportedFormat)")
    }

    private func tell(
      _ diagnosis: Diagnosis, _ findings: [Finding], _ look: FleetLook?
    ) throws(CommandFailure) {
      let worst = findings.map(\.level).max() ?? .ok
      let fields: JSONFields = [
        "path": diagnosis.path, "level": worst, "isWell": worst < .problem, "findings": findings,
        "fleet": look?.fields,
        "versions": [
          "freshstore": FreshStoreCommand.configuration.version,
          "sqlite": diagnosis.sqliteVersion, "supportedFormat": diagnosis.supportedFormat,
        ] as JSONFields,
      ]
      try output.print(fields, or: findings.map(\.line))
      let problems = findings.count { $0.level == .problem }
      if problems > 0 {
        throw CommandFailure(.store, problems == 1 ? "1 problem" : "\(problems) problems")
      }
    }
  }
#endif
