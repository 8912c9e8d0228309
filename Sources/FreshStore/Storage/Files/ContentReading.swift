/// Shows that somebody reads a value in blocks, as long as it lives: the value then stays for
/// ``Storage/readersTime`` once something has taken its place.
final class ContentReading: Sendable {
  private let id: Int64
  private let locks: ReadingLocks

  init(_ id: Int64, _ locks: ReadingLocks) {
    (self.id, self.locks) = (id, locks)
    locks.begin(id)
  }

  deinit { locks.end(id) }
}
