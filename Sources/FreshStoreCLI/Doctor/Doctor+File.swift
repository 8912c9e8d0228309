#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Platform

  extension Doctor {
    /// Whether there is a store, and whose format it has.
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
          "file", "\(path) is no SQLite database: it is left alone", "name another one with --db")
      }
    }

    /// What the store itself says.
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
  }
#endif
