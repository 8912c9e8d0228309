#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Platform
  internal import Strategies

  /// The diagnosis of a store for its owner.
  struct Doctor {
    let diagnosis: Diagnosis
    /// True when no store was named: the first get makes the store and its folder.
    let isDefaultPath: Bool

    /// All findings about the store and the machine, in a fixed order.
    var findings: [Finding] {
      [file] + permissions + [folder, fileSystem, space, log, sqlite] + salvage + [sweep]
        + missingWrites + facts.map(contents).joined() + clock
    }

    private func contents(_ facts: StoreFacts) -> [Finding] {
      [structure(facts), outbox(facts), queue(facts), origins(facts)] + fleet(facts)
    }

    /// The facts of the store; empty when they could not be read.
    private var facts: [StoreFacts] {
      guard case .store(let facts) = diagnosis.content else { return [] }
      return [facts]
    }

    /// The time since a moment; zero for a moment in the future.
    func age(of moment: Timestamp) -> Duration {
      max(.zero, diagnosis.now.wall.duration(since: moment))
    }

    // MARK: The file

    /// Whether there is a store, and whether this program knows its format.
    var file: Finding {
      guard diagnosis.resolvedPath.utf8.count <= FileObstacle.longestPath else {
        return .problem(
          "file", "\(path) cannot be used", FileObstacle.tooLong(diagnosis.resolvedPath))
      }
      return found
    }

    private var found: Finding {
      switch diagnosis.content {
      case .missing: missing
      case .folderMissing where isDefaultPath: missing
      case .folderMissing:
        .problem(
          "file", "\(path) cannot be made: its folder does not exist",
          "make the folder, or name another file with --db")
      case .notAFile:
        .problem("file", "\(path) is no regular file", "name another one with --db")
      case .empty:
        .warning(
          "file", "\(path) is empty: whoever was to make a store of it did not get that far",
          "the next get or put makes a store of it")
      case .unreadable(let words):
        .problem(
          "file", "\(path) cannot be read: \(words)",
          FileObstacle.remedy(at: path) ?? "name another one with --db")
      case .notADatabase, .foreign, .foreignObject, .former, .newer: foreign
      case .locked, .damaged, .interrupted, .failed: unread
      case .store(let facts): .ok("file", words(of: facts))
      }
    }

    private var path: String { diagnosis.path }

    private var missing: Finding {
      if isDefaultPath, let obstacle = DefaultPath.obstacle {
        return .problem(
          "file", "there is no store at \(path), and none can be made: \(obstacle)",
          DefaultPath.remedy)
      }
      return .warning(
        "file", "there is no store at \(path)",
        "the first get or put makes one, --db names another")
    }

    private var foreign: Finding {
      switch diagnosis.content {
      case .newer(let found, let supported):
        .problem(
          "file",
          "\(path) has the format \(found), and this program knows up to \(supported): it is left alone",
          "upgrade this program, or name another one with --db")
      case .former: refusal(.formerFormat)
      case .foreignObject(let kind, let name):
        refusal(.foreignObject(kind: kind, name: name))
      case .foreign:
        .problem(
          "file", "\(path) is a database of another program: it is left alone",
          "name another one with --db")
      default:
        .problem(
          "file", "\(path) is no SQLite database, or its first page is damaged: nothing touches it",
          "if it was a store, `freshstore recover \(path) NEW` takes over what can be read; name another one with --db"
        )
      }
    }

    /// The store's own words about an error.
    private func refusal(_ code: StoreError.Code) -> Finding {
      .problem("file", "\(path): \(code.cause)", code.advice ?? "name another one with --db")
    }

    private var unread: Finding {
      switch diagnosis.content {
      case .locked(let holder):
        .problem(
          "file", "\(path) cannot be read, as \(holder ?? "somebody") has locked everybody out",
          "let it finish, or end it")
      case .damaged(let words):
        .problem(
          "file", "\(path) is damaged: \(words)",
          Self.healing)
      case .interrupted:
        .warning(
          "file",
          "\(path) was left with a log by a program that did not come to close it, and is not looked "
            + "into here",
          "any other verb, such as freshstore stats, reads the log; nothing is lost")
      case .failed(let words):
        .problem(
          "file", "\(path) cannot be read: \(words)",
          FileObstacle.remedy(at: path)
            ?? "look for the cause in the disk and the system's log")
      default: .ok("file", path)
      }
    }

    private func words(of facts: StoreFacts) -> String {
      let size = ByteCount.words(facts.pages * facts.pageSize)
      let free = ByteCount.words(facts.freePages * facts.pageSize)
      let format =
        facts.format < diagnosis.supportedFormat
        ? "format \(facts.format), which the next writer brings to \(diagnosis.supportedFormat)"
        : "format \(facts.format)"
      return "\(path) is a store of \(format), with \(size), \(free) of them free"
    }

    /// The result of the quick check of the file's structure.
    func structure(_ facts: StoreFacts) -> Finding {
      guard let first = facts.problems.first else {
        return .ok(
          "structure", "the file's structure is sound; freshstore check reads every record, too")
      }
      let more = facts.problems.count > 1 ? ", and more" : ""
      return .problem(
        "structure", "the file contradicts itself: \(first)\(more)",
        "freshstore check lists the damaged records; " + Self.healing)
    }

    private static let healing =
      "freshstore check --heal moves it aside, keeps it, and begins a new one with the local writes and puts "
      + "that can be read, as whatever meets the damage does; look for the cause in the disk and the system's log"

    // MARK: The clock

    /// Whether the wall clock is reliable.
    var clock: [Finding] { [steps, synchronisation] }

    private var steps: Finding {
      guard case .store(let facts) = diagnosis.content else {
        return .ok("clock", "it is \(diagnosis.now.wall)")
      }
      guard facts.futureUpdates > 0, let latest = facts.latestUpdate else {
        let boot =
          switch facts.checkedBoot {
          case 0: "the store has not met a boot in which it was left open"
          case diagnosis.now.boot: "the store was looked over in this boot"
          default: "the store was last looked over in another boot"
          }
        return .ok("clock", "no record is from the future; \(boot)")
      }
      return .warning(
        "clock",
        "records that were last updated in the future: \(facts.futureUpdates), up to \(latest): the clock was set "
          + "back, and they count as stale",
        "see to it that the clock is right; a get or freshstore sweep --refetch brings them in order"
      )
    }

    private var synchronisation: Finding {
      switch SystemClock.isSynchronised {
      case true?: .ok("time-source", "the kernel says that the clock is kept right")
      case false?:
        .warning(
          "time-source",
          "the kernel says that nobody keeps the clock right: ages across boots may be wrong",
          "run a time service such as systemd-timesyncd or chrony; a container may leave that to its host"
        )
      case nil: .ok("time-source", "the system does not say whether the clock is kept right")
      }
    }
  }

  /// One check and its result.
  struct Finding: Encodable, Sendable {
    /// The result; the worst is last.
    enum Level: String, Encodable, Sendable, CaseIterable, Comparable {
      case ok
      case warning
      case problem

      static func < (left: Level, right: Level) -> Bool { left.order < right.order }

      private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A stable name of the check.
    let check: String
    let level: Level
    /// The result, and its meaning.
    let message: String
    /// The next step; `nil` when there is nothing to do.
    let advice: String?

    private init(_ check: String, _ level: Level, _ message: String, _ advice: String?) {
      self.check = check
      self.level = level
      self.message = Console.printable(message)
      self.advice = advice.map(Console.printable)
    }

    static func ok(_ check: String, _ message: String) -> Finding {
      Finding(check, .ok, message, nil)
    }

    static func warning(_ check: String, _ message: String, _ advice: String) -> Finding {
      Finding(check, .warning, message, advice)
    }

    static func problem(_ check: String, _ message: String, _ advice: String) -> Finding {
      Finding(check, .problem, message, advice)
    }

    /// The finding in one line.
    var line: String {
      let color: Color =
        switch level {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
      return color.applied(to: level.rawValue.padded(to: 9)) + check.padded(to: 14) + message
        + (advice.map { "; \($0)" } ?? "")
    }
  }
#endif
