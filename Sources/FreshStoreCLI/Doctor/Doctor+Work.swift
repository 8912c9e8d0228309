#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Platform
  internal import Strategies

  extension Doctor {
    /// Whether the log is emptied in time, and which processes use the store.
    var log: Finding {
      guard let log = diagnosis.log, log.size > 0 else {
        return .ok("log", "it is empty" + users)
      }
      let database = max(1, diagnosis.database?.size ?? 1)
      let share = Int(min(1_000_000, Double(log.size) / Double(database) * 100))
      let size = "it has \(ByteCount.words(log.size)), \(share) % of the database"
      guard log.size > Self.largeLog else { return .ok("log", size + users) }
      guard !diagnosis.readers.isEmpty else {
        return .warning(
          "log", "\(size), and slows every read: nobody came to empty it",
          "the next few writes do, or freshstore sweep; nothing is lost")
      }
      return .warning(
        "log",
        "\(size): it cannot be emptied while \(diagnosis.readers.joined(separator: ", ")) reads a "
          + "state of the past", "let that read finish, or end the process")
    }

    /// Four times the size at which a commit empties the log.
    private static let largeLog = 16 << 20

    private var users: String {
      let users =
        diagnosis.users.isEmpty
        ? "; nobody has the store open" : "; open in \(diagnosis.users.joined(separator: ", "))"
      return users + (diagnosis.writer.map { "; \($0) is writing" } ?? "")
    }

    /// The version of SQLite, and remarks on it.
    var sqlite: Finding {
      let version = "SQLite \(diagnosis.sqliteVersion)"
      guard diagnosis.hasWALResetBug else {
        return .ok("sqlite", "\(version), without the WAL-reset bug")
      }
      return .ok(
        "sqlite",
        "\(version) has the WAL-reset bug, which can lose commits; FreshStore keeps clear of it by "
          + "checkpoints of its own, other programs that write to the file may not")
    }

    /// Whether damaged files were left behind, and whether only they have some values.
    var salvage: [Finding] {
      guard !diagnosis.asides.isEmpty else {
        return [.ok("salvage", "no damaged file was moved aside")]
      }
      let spent = diagnosis.asides.filter { !$0.waits && $0.isWhole && $0.missing == 0 }
      let others = diagnosis.asides.filter { aside in !spent.contains(aside) }
      guard !spent.isEmpty else { return others.map(finding) }
      return others.map(finding) + [
        .warning(
          "salvage",
          "damaged files were moved aside, and were looked through: they have nothing that is not in the "
            + "store, or that a source could not give again: "
            + spent.map(\.path).joined(separator: ", "),
          "look for the cause in the disk and the system's log, then remove them")
      ]
    }

    private func finding(of aside: AsideLook) -> Finding {
      if aside.waits {
        return .warning(
          "salvage",
          "values and local writes may wait in \(aside.path), which was moved aside damaged",
          "the next get, put or sweep takes them over, or says what it cannot read")
      }
      let missing =
        aside.missing > 0
        ? "has values that no source can give again and that are not in the store: \(aside.missing)"
        : "may have values that are not in the store"
      let unread = aside.isWhole ? "" : "; parts of it cannot be read here"
      return .warning(
        "salvage", "\(aside.path) was moved aside damaged, and \(missing)\(unread)",
        "keep it; " + RecoveryAdvice.steps(for: aside.path, into: diagnosis.path))
    }

    /// Whether a sweep is running, and for how long.
    var sweep: Finding {
      guard diagnosis.isSwept else { return .ok("sweep", "nobody sweeps now") }
      guard let holder = diagnosis.sweeper else {
        return .ok("sweep", "somebody sweeps, and the lock does not say who")
      }
      guard age(of: holder.since) > Self.longSweep else {
        return .ok("sweep", "\(holder) sweeps; another sweep ends at once with 75")
      }
      return .warning(
        "sweep", "\(holder) sweeps, which is long; meanwhile no other sweep runs",
        "look at that process; when it ends, the lock is free")
    }

    private static let longSweep: Duration = .seconds(3600)

    /// Whether local writes reach their sources.
    func outbox(_ facts: StoreFacts) -> Finding {
      if diagnosis.lacksWrites { return lostWrites }
      let work = facts.work
      let oldest = work.oldestWrite.map { ", the oldest written \(age(of: $0).brief) ago" } ?? ""
      let counts = "local writes: \(work.waitingWrites) waiting, \(work.parkedWrites) parked"
      if work.parkedWrites > 0 {
        return .warning(
          "outbox",
          "\(counts)\(oldest): what is parked was refused, and holds up the later writes of its key",
          "look at it with freshstore outbox, and have it sent again or drop it")
      }
      if work.waitingWrites > 0, work.oldestWrite.map({ age(of: $0) > Self.longWait }) ?? false {
        return .warning(
          "outbox", "\(counts)\(oldest): nobody pushes them",
          "run the program that pushes them, or freshstore sync")
      }
      return .ok("outbox", work.waitingWrites == 0 ? "no local write waits" : counts + oldest)
    }

    /// The finding about local writes that were in another file; empty when there are none.
    var missingWrites: [Finding] {
      guard diagnosis.lacksWrites else { return [] }
      if case .store = diagnosis.content { return [] }
      return [lostWrites]
    }

    private var lostWrites: Finding {
      let code = StoreError.Code.writesMissing(mark: diagnosis.resolvedPath + "-outbox")
      return .problem("outbox", code.cause, code.advice ?? "put the file back that has them")
    }

    /// Whether stale records are fetched again.
    func queue(_ facts: StoreFacts) -> Finding {
      let next = facts.work.nextDue.map {
        ", the next in \($0.duration(since: diagnosis.now.wall).brief)"
      }
      guard facts.work.due > 0, let oldest = facts.work.nextDue else {
        return .ok("queue", "no record waits for a refetch" + (next ?? ""))
      }
      let words =
        "records that wait for a refetch: \(facts.work.due), the first for \(age(of: oldest).brief)"
      guard age(of: oldest) > Self.longWait else { return .ok("queue", words) }
      return .warning(
        "queue", "\(words): nothing but a get fetches them",
        "run freshstore sweep --refetch now and then, or prune what nobody asks for")
    }

    private static let longWait: Duration = .seconds(86_400)

    /// Whether marks wait for the fleet; empty for a store that has none to deliver.
    func fleet(_ facts: StoreFacts) -> [Finding] {
      let (kept, refused) = (facts.work.keptMarks, facts.work.refusedMarks)
      if refused > 0 {
        return [
          .warning(
            "fleet",
            "marks that the fleet's shared tier has refused: \(refused); the other hosts do not know of them",
            "freshstore fleet marks shows why, and delivers them once more or drops them")
        ]
      }
      guard kept > 0 else { return [] }
      return [
        .warning(
          "fleet", "marks that the other hosts do not know of yet: \(kept)",
          "a get, sweep or sync run with --fleet delivers them once that is in reach")
      ]
    }

    /// Whether the store backs off from origins after failures.
    func origins(_ facts: StoreFacts) -> Finding {
      let paused = facts.work.failingOrigins.filter { $0.pausedUntil > diagnosis.now.wall }
      guard let first = paused.first else {
        return .ok("origins", "none is left alone after failures")
      }
      let more = paused.count - 1
      return .warning(
        "origins",
        "\(first.name)" + (more > 0 ? " and \(more) more" : "")
          + " failed again and again, and copies stand in until \(first.pausedUntil)",
        "see whether it answers; a fetch is tried by itself after that")
    }
  }
#endif
