#if CommandLine
  internal import FreshStore
  internal import Strategies

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The output of `sync status --json`.
  struct SyncStatusOutput: Encodable {
    /// The process that synchronizes the store, and its latest report.
    struct Daemon: Encodable {
      let process: Int32?
      let since: String?
      let work: SyncWorkOutput?
    }

    struct Origin: Encodable {
      let name: String
      let failures: Int
      let pausedUntil: String
      let failure: String
    }

    /// `nil` when no daemon is at work.
    let daemon: Daemon?
    let due: Int
    let nextDue: String?
    let waitingWrites: Int
    let parkedWrites: Int
    let oldestWrite: String?
    let nextWrite: String?
    let failingOrigins: [Origin]

    init(_ backlog: Backlog, _ daemon: (holder: SweepHolder?, note: String)?) {
      self.daemon = daemon.map { daemon in
        Daemon(
          process: daemon.holder?.process, since: daemon.holder?.since.description,
          // It may be in the middle of writing it.
          work: try? JSONDecoder().decode(SyncWorkOutput.self, from: Data(daemon.note.utf8)))
      }
      due = backlog.due
      nextDue = backlog.nextDue?.description
      waitingWrites = backlog.waitingWrites
      parkedWrites = backlog.parkedWrites
      oldestWrite = backlog.oldestWrite?.description
      nextWrite = backlog.nextWrite?.description
      failingOrigins = backlog.failingOrigins.map { origin in
        Origin(
          name: origin.name, failures: origin.failures,
          pausedUntil: origin.pausedUntil.description, failure: origin.failure)
      }
    }

    /// For people.
    var lines: [String] {
      var lines = [daemon.map(Self.words) ?? "no daemon is at work on the store"]
      if let report = daemon?.work?.report { lines.append("so far: \(report.line)") }
      lines.append("to fetch: \(due)" + (nextDue.map { ", the first due \($0)" } ?? ""))
      lines.append(
        "to send: \(waitingWrites), parked: \(parkedWrites)"
          + (oldestWrite.map { ", the oldest of \($0)" } ?? "")
          + (nextWrite.map { ", the next due \($0)" } ?? ""))
      for origin in failingOrigins {
        lines.append(
          "\(origin.name): \(origin.failures) failures in a row, left alone until "
            + "\(origin.pausedUntil): \(origin.failure)")
      }
      return lines.map(Console.printable)
    }

    private static func words(_ daemon: Daemon) -> String {
      let process = daemon.process.map { "process \($0)" } ?? "a process"
      let since = daemon.since.map { ", since \($0)" } ?? ""
      return process + since + (daemon.work.map { ": \($0.words)" } ?? "")
    }
  }
#endif
