internal import Platform

extension StoreError: CustomStringConvertible {
  /// The failure, its record, its cause and the next step.
  public var description: String {
    var text = "cannot \(operation.rawValue)"
    if let key { text += " \(KeyText.shown(key).debugDescription)" }
    if let collection { text += " in collection \(collection.debugDescription)" }
    if let path { text += " (\(path))" }
    text += ": \(code.cause)"
    if let sqlite { text += " [SQLite \(sqlite.code): \(sqlite.message)]" }
    if let advice { text += "; \(advice)" }
    return text
  }

  private var advice: String? {
    if let remedy { return remedy }
    guard code == .full, operation == .prune else { return code.advice }
    return "free space on its disk: what removes is written to the log first, too"
  }
}

extension StoreError.Code {
  /// The cause, in one clause.
  package var cause: String {
    switch self {
    case .folderMissing: "the folder does not exist"
    case .notAFile: "the path does not name a regular file"
    case .notADatabase: "the file is not a SQLite database; it was left untouched"
    case .foreignDatabase: "the file belongs to another program; it was left untouched"
    case .foreignObject(let kind, let name):
      "another program has made the \(kind) \(name.debugDescription) in the store; it was left untouched"
    case .newerSchema(let found, let supported):
      "the file has schema \(found), this program knows up to \(supported); it was left untouched"
    case .formerFormat:
      "the file is in a format of before version 1, which is not read any more; it was left untouched"
    case .readOnly: "the file cannot be written"
    case .cannotOpen: "the file cannot be opened"
    case .unsupportedSQLite(let found): "SQLite \(found) is too old"
    case .writesLost(let file, let writes):
      "the store was damaged and moved to \(file.debugDescription); "
        + (writes.map { "\($0) of its local writes cannot be read" }
          ?? "its local writes cannot be read")
    case .writesMissing(let mark):
      "local writes waited here to be sent, as \(mark.debugDescription) shows, and this file does not have "
        + "them: the store was emptied, deleted, or replaced by an older copy or another file"
    case .invalidKey: "a key is 1 to 1,024 bytes of UTF-8"
    case .invalidCollection: "a collection's name is 1 to 255 bytes of UTF-8"
    case .valueTooLarge(let bytes, let limit):
      "the value has \(bytes) bytes, more than the limit of \(ByteCount.words(limit))"
    case .notEncodable(let words): "the value cannot be encoded: \(words)"
    case .unreadable(let words): "the stored value cannot be read: \(words)"
    case .refused(let report): "the value breaks its rules: \(report)"
    case .invalidArgument(let words): words
    case .busy(let holder):
      "another connection held the lock for too long" + (holder.map { " (\($0))" } ?? "")
    case .sweepUnderWay(let holder):
      "another sweep is under way" + (holder.map { " (\($0))" } ?? "")
    case .wipeUnfinished(let holder):
      "the store is empty, but a reader of an older state keeps its former content in the log"
        + (holder.map { " (\($0))" } ?? "")
    case .full: "the disk or the store's size limit is full"
    case .inputOutput: "the file system failed"
    case .damaged: "the database file is damaged"
    case .superseded: "a newer write or a removal came in between"
    case .wiped: "the store was wiped since this began"
    case .pendingWrite: "a local write waits to reach the source"
    case .changedMeanwhile:
      "a merge, a correction or a later write has taken the place of what was seen"
    case .beingPushed: "the local write is being sent"
    case .closed: "the store is closed"
    case .forked: "the store was opened by the parent process"
    case .alreadyExists: "there is something of that name already; it was left untouched"
    case .notAnExport(let words): "the input is not what freshstore export writes: \(words)"
    case .sharedTier(let error): "the fleet's shared tier failed: \(error)"
    case .cancelled: "the task was cancelled"
    case .sqlite: "the database refused"
    }
  }

  /// The next step, if there is one.
  package var advice: String? {
    switch self {
    case .folderMissing: "create the folder or name another path"
    case .notAFile, .notADatabase, .foreignDatabase, .alreadyExists: "name another path"
    case .foreignObject("table", _):
      "move that table to a database of its own, or name another path"
    case .foreignObject(let kind, let name):
      "remove it in SQLite's shell by DROP \(kind.uppercased()) "
        + "\"\(name.replacing("\"", with: "\"\""))\", or name another path"
    case .newerSchema: "upgrade this program or name another path"
    case .formerFormat:
      "keep it, and name another path: a new store fills again from its sources. Local writes in it are "
        + "sent by the version that wrote them"
    case .readOnly: "open it for writing"
    case .cannotOpen: "freshstore doctor looks for the cause"
    case .unsupportedSQLite: "install SQLite 3.37 or later"
    case .writesLost: "repair that file, take it away, or open the store accepting the loss"
    case .writesMissing(let mark):
      "put the file back that has them; to go on without them, remove \(mark.debugDescription), or open the store "
        + "accepting the loss"
    case .valueTooLarge: "raise the limit in the configuration or store less"
    case .busy: "end what holds it, or try again later"
    case .wiped: "begin again for whoever is signed in now"
    case .pendingWrite: "wait until it is pushed, or drop it from the outbox"
    case .changedMeanwhile: "look at the local write again"
    case .beingPushed: "try again once it is settled"
    case .sweepUnderWay: "let it finish, or wait for it"
    case .wipeUnfinished: "wipe it again once the reader has ended"
    case .full: "free space, raise the limit, or prune the store"
    case .inputOutput: "check the disk and the file system"
    case .damaged:
      "open it for writing: a read or a write that meets the damage then moves the file aside, keeps it, and "
        + "begins a new store"
    case .forked: "open the store anew in the child"
    default: nil
    }
  }
}
