internal import Platform

/// The result of a sweep.
public struct SweepResult: Sendable, Hashable, Codable {
  /// Records looked at.
  public var examined = 0
  /// Records newly marked stale.
  public var marked = 0
  /// Write transactions used.
  public var batches = 0
  /// The longest time for which other writers were blocked, by a transaction or by the end of a checkpoint.
  public var longestHold = Duration.zero
  /// True when nothing was left to examine; false when a limit ended the sweep.
  public var isComplete = true
  /// True when nothing was written: records to mark were only counted.
  public var isDryRun = false

  package init() {}
}

/// The result of a prune.
public struct PruneResult: Sendable, Hashable, Codable {
  /// Records removed.
  public var removed = 0
  /// The size of the removed records, as ``PruneOptions/maximumBytes`` counts it.
  public var bytes = 0
  /// The bytes by which the file shrank.
  public var fileBytes = 0
  /// The longest time for which other writers were blocked, by a transaction or by the end of a checkpoint.
  public var longestHold = Duration.zero
  /// True when records were only counted and none removed.
  public var isDryRun = false

  package init() {}
}

/// The damaged files beside a store after a wipe.
public struct WipeResult: Sendable, Hashable, Codable {
  /// Files that are still there: a store moved them aside because they were damaged.
  /// They contain what the store contained then, as far as it can be read.
  public var damagedFiles: [String] = []
  /// Files of that kind, and their logs, that were deleted.
  public var removedFiles: [String] = []

  package init() {}
}

/// The findings of a check of the whole file.
public struct CheckResult: Sendable, Hashable, Codable {
  /// A record that cannot be used as it is, or a local write of it, or the known state of its source below the write.
  public struct DamagedRecord: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The record's collection.
    public var collection: String
    /// The record's key.
    public var key: String
    /// The problem. It says so when the problem is not the record's own.
    public var problem: String

    /// All fields in one line.
    public var description: String { "\(collection)/\(key): \(problem)" }
  }

  /// The findings of SQLite's `integrity_check` about the file's structure, and the reasons that
  /// cut the check short; empty when there are none.
  public var problems: [String]
  /// Every damaged record whose name can be read.
  public var damagedRecords: [DamagedRecord]
  /// Records looked at.
  public var records: Int

  /// True when there are no findings.
  public var isSound: Bool { problems.isEmpty && damagedRecords.isEmpty }

  /// All findings, one per line.
  package var findings: [String] { problems + damagedRecords.map { "\($0)" } }
}

/// The result of following a list; of all its pages, if it came in several.
public struct FollowedList: Sendable {
  /// Members whose values were stored.
  public var stored: [String] = []
  /// Members whose copies the source confirmed: they are as fresh as after a fetch that found them not modified.
  /// Members with a pending write are not among them, although the known state of their source is renewed.
  public var renewed: [String] = []
  /// Members that were queued for a fetch of their own.
  public var queued: [String] = []
  /// Records that were removed, because they are on no list any more.
  public var removed: [String] = []
  /// Records that left the list and stayed in the store.
  ///
  /// Such a record is on another list, or it stays for now: it is pinned, has a pending write, or was requested after
  /// the list. A record that stays for now is removed with the first later answer that does not bring it back and
  /// finds no reason to keep it.
  public var kept: [String] = []
  /// Members whose new value was not stored, because the record has a pending write.
  public var pending: [String] = []
  /// Members whose new value was refused, by key: their older copies stay.
  public var refused: [String: FetchFailure] = [:]
  /// True when the source reported no changes.
  public var isUnchanged = false
  /// True when the answer was the whole list, not only its changes.
  public var isFull = false

  /// True when records joined the list or left it.
  var isRearranged = false

  /// Adds the result of the next page.
  mutating func add(_ page: FollowedList) {
    stored += page.stored
    renewed += page.renewed
    queued += page.queued
    removed += page.removed
    kept += page.kept
    pending += page.pending
    refused.merge(page.refused) { _, later in later }
    isRearranged = isRearranged || page.isRearranged
    (isUnchanged, isFull) = (page.isUnchanged, page.isFull)
  }
}

/// The system's data about a file or a folder. Nothing is opened to get it.
package struct FoundFile: Sendable, Hashable {
  package let path: String
  package let isRegular: Bool
  package let isFolder: Bool
  package let size: Int
  /// The permission bits, including the sticky bit.
  package let mode: UInt32
  package let owner: UInt32
  package let isReadable: Bool
  package let isWritable: Bool

  /// True when users other than the owner may write it: for a folder, replace a file in it.
  package var isWritableByOthers: Bool {
    let sticky: UInt32 = 0o1000
    return mode & 0o022 != 0 && !(isFolder && mode & sticky != 0)
  }

  /// The name of the owner; the user id when the system knows no name.
  package var ownerName: String { UserName.of(owner) }

  /// Queries the path, following links; `nil` when there is nothing, or access is denied.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.path = path
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    size = Int(status.st_size)
    mode = UInt32(status.st_mode) & 0o7777
    owner = UInt32(status.st_uid)
    isReadable = unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
    isWritable = unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }
}
