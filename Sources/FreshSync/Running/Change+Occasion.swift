internal import FreshStore

extension Change {
  /// The possible work after a change.
  enum Occasion: Equatable {
    case nothing
    /// The first write of that key.
    case write(RecordID)
    /// Anything.
    case look
  }

  /// The work that this one, and those dropped before it, may have put into the queues.
  var occasion: Occasion {
    guard missed == 0 else { return .look }
    switch kind {
    // Values from fetches fill no queue.
    case .stored, .revalidated, .absent, .listed, .pushing, .parked: return .nothing
    // A wipe leaves every list to be followed anew.
    case .removed: return collection == nil ? .look : .nothing
    // A write that was put off is the business of whoever has pushed it, at its time; without one it is
    // due, such as for a program that can read it.
    case .deferred: return write.map { $0.until == nil } ?? false ? .look : .nothing
    case .written, .pushed:
      guard let collection, let key else { return .look }
      return .write(RecordID(collection, key))
    case .restored, .marked, .resumed, .unknown: return .look
    }
  }
}
