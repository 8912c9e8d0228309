#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet status`: the tables, and this host's place.
  struct FleetStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show what a fleet shares, and how far this host is behind it.",
      discussion: """
        It counts the records and the leases, which takes a while in a large fleet. Of this host's store it \
        shows how many of the fleet's marks are not taken in yet, when a word of the fleet was last noted (once a \
        minute at most), and the marks that were kept for it or that it has refused; of a fleet that is out of reach \
        it shows these alone. Nothing is changed.

        EXAMPLES
          freshstore fleet status
          freshstore fleet status postgresql://news@db.example.org/fleet --db /var/lib/freshstore/store.db
          freshstore fleet status --json | jq .newestMark

        EXIT CODES
          0    shown
          7    the database is out of reach, or cannot be used: the message says what to do; this host's part is shown
          64   the address is wrong, or shows a password
          71   libpq is not installed
        """)

    @OptionGroup var target: FleetTarget
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let administration = try target.administration()
        let tables = await Console.whileWorking("counting") { await look(at: administration) }
        try await OpenStore.readIfThere(store) { store in
          let answer = FleetStatusOutput(tables: tables, host: try await host(store, tables))
          try output.print(answer.fields, or: answer.lines)
        }
        if case .failure(let error) = tables { throw CommandFailure(error) }
      }
    }

    private typealias Tables = Result<FleetAdministration.Status, SharedTierError>

    private func look(at administration: FleetAdministration) async -> Tables {
      do throws(SharedTierError) {
        return .success(try await administration.status())
      } catch {
        return .failure(error)
      }
    }

    private func host(_ store: Store?, _ tables: Tables) async throws -> FleetStatusOutput.Host? {
      guard let store, let address = target.address else { return nil }
      let (work, place) = (try store.quickStatistics().work, try store.fleetPlace())
      let look =
        switch tables {
        case .success: await FleetLook(at: address, target.option, .administering, from: place)
        case .failure(let error):
          FleetLook(at: address, target.option, from: place, failing: error)
        }
      return FleetStatusOutput.Host(
        path: store.path, look: look,
        keptMarks: work.keptMarks, refusedMarks: work.refusedMarks)
    }
  }

  /// The output of `fleet status`, and of `fleet init --json`: the tables, and one host's place in the fleet.
  struct FleetStatusOutput {
    /// A host, as its store shows it.
    struct Host {
      let path: String
      let look: FleetLook
      let keptMarks: Int
      let refusedMarks: Int
    }

    /// The tables, or the error of a fleet that does not show them.
    let tables: Result<FleetAdministration.Status, SharedTierError>
    /// `nil` without a store.
    let host: Host?

    var fields: JSONFields {
      let shared: JSONFields =
        switch tables {
        case .success(let status): fields(of: status)
        case .failure(let error): ["error": error.fields]
        }
      return shared + [
        "host": host.map { host -> JSONFields in
          host.look.fields + [
            "path": host.path, "keptMarks": host.keptMarks, "refusedMarks": host.refusedMarks,
          ]
        }
      ]
    }

    private func fields(of status: FleetAdministration.Status) -> JSONFields {
      [
        "version": status.version, "generation": status.generation,
        "newestMark": status.newestMark, "oldestMark": status.oldestMark,
        "records": status.records, "leases": status.leases,
        "pausedOrigins": status.pausedOrigins,
      ]
    }

    /// The answer for people, without the error, which ends the verb.
    var lines: [String] {
      var lines: [String] = []
      if case .success(let status) = tables {
        let (newest, oldest) = (status.newestMark, status.oldestMark)
        lines = [
          "tables: version \(status.version), generation \(status.generation)",
          "marks: the newest is \(newest), the journal begins at \(oldest)",
          "records: \(status.records); being fetched: \(status.leases); origins that are left alone: "
            + "\(status.pausedOrigins)",
        ]
      }
      if let host { lines += words(of: host) }
      return lines.map(Console.printable)
    }

    private func words(of host: Host) -> [String] {
      let place =
        switch host.look.reply {
        case .success(let reply): host.look.words(of: reply)
        case .failure:
          host.look.place.map { "this host has taken in the marks up to \($0.position.number)" }
            ?? host.look.silence
        }
      var lines = ["\(host.path): \(place)"]
      if host.look.place != nil { lines.append("\(host.path): \(host.look.silence)") }
      if host.keptMarks > 0 {
        lines.append("\(host.path): marks that are still to be delivered: \(host.keptMarks)")
      }
      if host.refusedMarks > 0 {
        lines.append(
          "\(host.path): marks that the fleet has refused: \(host.refusedMarks); see freshstore fleet marks"
        )
      }
      return lines
    }
  }
#endif
