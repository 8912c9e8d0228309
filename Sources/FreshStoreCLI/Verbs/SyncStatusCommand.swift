#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Strategies

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// `freshstore sync status`: the daemon's work, and its backlog.
  struct SyncStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show what the daemon is doing, and what waits to be fetched and sent.",
      discussion: """
        EXAMPLES
          freshstore sync status
          freshstore sync status --json | jq .parkedWrites

        EXIT CODES
          0    shown
          4    no daemon is running on the store
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in
          let answer = SyncStatusOutput(
            backlog: try store?.backlog() ?? Backlog(), holds: try store?.holds() ?? [:],
            daemon: store.flatMap { SyncLock.holder(of: $0.path) })
          try output.print(answer.fields, or: answer.lines)
          if answer.daemon == nil { throw CommandFailure(.nothingToServe) }
        }
      }
    }
  }

  /// The output of `sync status`: the waiting work, and the process that does it.
  struct SyncStatusOutput {
    let backlog: Backlog
    /// The held origins, each with the reason.
    let holds: [Origin: String]
    /// `nil` when no daemon runs.
    let daemon: (holder: SweepHolder?, note: String)?

    /// The daemon's latest report; `nil` also while the daemon is writing it.
    private var work: SyncWorkOutput? {
      // A report that is cut short is no error of the reader.
      daemon.flatMap { try? JSONDecoder().decode(SyncWorkOutput.self, from: Data($0.note.utf8)) }
    }

    var fields: JSONFields {
      [
        "daemon": daemon.map { daemon -> JSONFields in
          [
            "process": daemon.holder?.process, "since": daemon.holder?.since.description,
            "work": work,
          ]
        },
        "due": backlog.due,
        "nextDue": backlog.nextDue?.description,
        "waitingWrites": backlog.waitingWrites,
        "parkedWrites": backlog.parkedWrites,
        "oldestWrite": backlog.oldestWrite?.description,
        "nextWrite": backlog.nextWrite?.description,
        "failingOrigins": backlog.failingOrigins.map { origin -> JSONFields in
          [
            "name": origin.name, "failures": origin.failures,
            "pausedUntil": origin.pausedUntil.description, "failure": origin.failure,
          ]
        },
        "heldOrigins": sortedHolds.map { name, reason -> JSONFields in
          ["name": name, "reason": reason]
        },
      ]
    }

    var lines: [String] {
      let work = work
      var lines = [daemonWords(work)]
      if let report = work?.report { lines.append("so far: \(report.line)") }
      lines.append(
        "to fetch: \(backlog.due)" + (backlog.nextDue.map { ", the first due \($0)" } ?? ""))
      lines.append(
        "local writes: \(backlog.waitingWrites) waiting, \(backlog.parkedWrites) parked"
          + (backlog.oldestWrite.map { ", the oldest of \($0)" } ?? "")
          + (backlog.nextWrite.map { ", the next due \($0)" } ?? ""))
      for origin in backlog.failingOrigins {
        lines.append(
          "\(origin.name): \(origin.failures) failures in a row, left alone until "
            + "\(origin.pausedUntil): \(origin.failure)")
      }
      for (name, reason) in sortedHolds {
        lines.append("\(name): held until it is released: \(reason)")
      }
      return lines.map(Console.printable)
    }

    private var sortedHolds: [(name: String, reason: String)] {
      holds.map { ($0.key.name, $0.value) }.sorted { $0.name < $1.name }
    }

    private func daemonWords(_ work: SyncWorkOutput?) -> String {
      guard let daemon else { return "no daemon is running on the store" }
      let process = daemon.holder.map { "process \($0.process), since \($0.since)" } ?? "a process"
      return process + (work.map { ": \($0.words)" } ?? "")
    }
  }
#endif
