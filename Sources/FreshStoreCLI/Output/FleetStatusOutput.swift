#if CommandLine
  internal import FreshFleet
  internal import FreshStore

  /// The output of `fleet status`, and of `fleet init --json`: the tables, and one host's place in the fleet.
  struct FleetStatusOutput {
    /// A host, as its store shows it.
    struct Host {
      let path: String
      let look: FleetLook
      let keptMarks: Int
      let refusedMarks: Int
    }

    /// The tables; the error of a fleet that does not show them.
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

    /// Without the error, which ends the verb.
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
        switch host.look.answer {
        case .success(let answer): host.look.words(of: answer)
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
