/// The bits of a record's column `flags`; none is set in the row of a plain value.
package enum RecordFlags {
  static let kind: Int64 = 3
  static let mustRevalidate: Int64 = 1 << 2
  package static let pending: Int64 = 1 << 3
  static let failing: Int64 = 1 << 4
  static let pinned: Int64 = 1 << 5
  static let tagged: Int64 = 1 << 6

  static let known: Int64 = 1 << 7 - 1

  /// If one of them is set, the row must be read before another replaces it.
  static let standing = pending | failing | pinned | tagged
}

/// The same as conditions on a row, for statements.
extension RecordFlags {
  /// A value, or its absence; no mere note of failures.
  package static let isAnswer = "flags & \(kind) < 2"
  static let isValue = "flags & \(kind) = 0"
  static let isAbsence = "flags & \(kind) = 1"
  static let isFailing = "flags & \(failing) <> 0"
  package static let isPinned = "flags & \(pinned) <> 0"
  package static let isTagged = "flags & \(tagged) <> 0"
  package static let isNotPending = "flags & \(pending) = 0"
  static let isPlain = "flags & \(standing) = 0"
}

extension StoredRecord {
  var flags: Int64 {
    get {
      kind.rawValue | (content.mustRevalidate ? RecordFlags.mustRevalidate : 0)
        | (isPending ? RecordFlags.pending : 0) | (isFailing ? RecordFlags.failing : 0)
        | (isPinned ? RecordFlags.pinned : 0) | (isTagged ? RecordFlags.tagged : 0) | unknownFlags
    }
    set {
      kind = Kind(rawValue: newValue & RecordFlags.kind) ?? .unfetched
      content.mustRevalidate = newValue & RecordFlags.mustRevalidate != 0
      isPending = newValue & RecordFlags.pending != 0
      isFailing = newValue & RecordFlags.failing != 0
      isPinned = newValue & RecordFlags.pinned != 0
      isTagged = newValue & RecordFlags.tagged != 0
      unknownFlags = newValue & ~RecordFlags.known
    }
  }
}
