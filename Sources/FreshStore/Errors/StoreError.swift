internal import Platform
public import Rules

/// The reason why the store could not perform an operation: the operation, the record, and the next step.
/// It carries SQLite's code and message when SQLite was the cause. It never carries a stored value.
public struct StoreError: Error, Sendable {
  /// The kinds of failure, grouped by when they can happen.
  public enum Code: Sendable, Equatable {
    // Opening.
    /// The folder of the database file does not exist.
    case folderMissing
    /// The path names something that is not a regular file.
    case notAFile
    /// The file is not a SQLite database; it was left as it is.
    case notADatabase
    /// The file is a SQLite database of another program; it was left as it is.
    case foreignDatabase
    /// The file is a store with a view, trigger, table or index in it that no version makes.
    /// The file was left as it is: such an object may act when the file is read or written.
    case foreignObject(kind: String, name: String)
    /// The file has the format from before version 1, which is no longer read; it was left as it is.
    case formerFormat
    /// The file was written by a newer version; it was left as it is.
    case newerSchema(found: Int, supported: Int)
    /// The file, or its folder, cannot be written.
    case readOnly
    /// The file cannot be opened.
    case cannotOpen
    /// The linked SQLite is too old.
    case unsupportedSQLite(found: String)

    /// The store was damaged and moved aside to `file`, and this many of its local writes cannot be
    /// read; `nil` when even their number cannot be read.
    case writesLost(file: String, writes: Int?)
    /// Local writes waited in the store at this path, as the file `mark` shows, and the store there now lacks them.
    /// The former store was emptied, deleted, or replaced by an older copy or another file.
    case writesMissing(mark: String)

    // Arguments.
    /// The key is empty or longer than 1,024 bytes.
    case invalidKey
    /// The collection's name is empty or longer than 255 bytes.
    case invalidCollection
    /// The value is larger than the store accepts.
    case valueTooLarge(bytes: Int, limit: Int)
    /// The value could not be encoded.
    case notEncodable(String)
    /// The stored value cannot be read, for this reason, so no new value can be based on it.
    case unreadable(String)
    /// The value breaks its rules; the stored copy was kept.
    case refused(Report)
    /// An argument is out of range.
    case invalidArgument(String)

    // Running.
    /// Another connection held the lock for longer than the busy timeout.
    case busy(holder: String?)
    /// Another owner sweeps the store; `nil` when the owner is unknown.
    case sweepUnderWay(SweepHolder?)
    /// The store is empty, but the bytes of its files still hold former content.
    /// A reader of an older state kept the log from being emptied. Another wipe removes those bytes.
    case wipeUnfinished(holder: String?)
    /// The disk, or the configured size of the store, is full.
    case full
    /// The file system failed.
    case inputOutput
    /// The file is inconsistent.
    case damaged
    /// Another writer stored a newer value, or removed the record, during the fetch; the fetched value was not stored.
    case superseded
    /// The store was wiped since the request, the local write or the put began
    /// (``Store/wipe(removingDamagedFiles:droppingUnsent:)``).
    ///
    /// The operation belongs to the user who was signed in before, and nothing of it is stored.
    case wiped
    /// The record has a local write that its source has not accepted yet.
    case pendingWrite
    /// The local write no longer has the content that the caller has seen. Nothing was changed.
    /// A merge, a correction or a later write has replaced the content.
    case changedMeanwhile
    /// The local write is being sent; nothing was changed.
    case beingPushed
    /// The store was closed.
    case closed
    /// The store was opened before this process was forked, and cannot be used in the child.
    case forked
    /// A file with that name already exists; it was left as it is.
    case alreadyExists
    /// The input is not an export of a store; nothing was imported.
    case notAnExport(String)
    /// The fleet's shared tier failed, for this reason: the host went on without the fleet, or a mark was not made.
    indirect case sharedTier(SharedTierError)
    /// The task was cancelled.
    case cancelled
    /// Any other SQLite error.
    case sqlite
  }

  /// SQLite's error.
  public struct SQLiteAnswer: Sendable, Equatable {
    /// The extended result code (https://sqlite.org/rescode.html).
    public let code: Int32
    /// SQLite's message.
    public let message: String
    /// The activity that failed.
    public let activity: String
  }

  /// The kind of failure.
  public let code: Code
  /// The operation that failed.
  public let operation: StoreOperation
  /// The record's collection.
  public let collection: String?
  /// The record's key.
  public let key: String?
  /// The database file.
  public let path: String?
  /// SQLite's error, when SQLite was the cause.
  public let sqlite: SQLiteAnswer?
  /// The step that helps when the file could not be opened or written; `nil` when none is known.
  let remedy: String?

  /// True when the whole file is the cause, so that the next operation will fail the same way. False when the cause is
  /// the operation's own arguments or record.
  package var isOfFile: Bool {
    switch code {
    case .invalidKey, .invalidCollection, .valueTooLarge, .notEncodable, .unreadable, .refused,
      .invalidArgument, .sweepUnderWay, .wipeUnfinished, .superseded, .wiped, .pendingWrite,
      .changedMeanwhile, .beingPushed, .alreadyExists, .notAnExport, .sharedTier, .cancelled:
      false
    // Another owner holds the requested resource, such as a list.
    case .busy: sqlite != nil
    case .folderMissing, .notAFile, .notADatabase, .foreignDatabase, .foreignObject, .formerFormat,
      .newerSchema, .readOnly, .cannotOpen, .unsupportedSQLite, .writesLost, .writesMissing, .full,
      .inputOutput, .damaged, .closed, .forked, .sqlite:
      true
    }
  }

  /// The failure of the fleet's shared tier; `nil` for any other error.
  public var sharedTierFailure: SharedTierError? {
    if case .sharedTier(let error) = code { error } else { nil }
  }

  package init(
    _ code: Code, _ operation: StoreOperation, collection: String? = nil, key: String? = nil,
    path: String? = nil, sqlite: SQLiteAnswer? = nil
  ) {
    self.code = code
    self.operation = operation
    self.collection = collection
    self.key = key
    self.path = path
    self.sqlite = sqlite
    remedy =
      switch code {
      case .readOnly, .cannotOpen: path.flatMap(FileObstacle.remedy)
      default: nil
      }
  }
}

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
