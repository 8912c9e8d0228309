internal import FreshStore

extension Salvage.Contents {
  /// Appends later writes. They are renumbered in the same order: two files may use the same numbers.
  mutating func append(_ later: Salvage.Contents) {
    lost = lost.flatMap { lost in later.lost.map { lost + $0 } }
    hasMarks = hasMarks && later.hasMarks
    bases += later.bases
    marksForFleet += later.marksForFleet
    let known = Set(writes.values.map(\.idempotencyKey))
    var next = (writes.keys.max() ?? 0) + 1
    for var write in later.writes.values.sorted(by: { $0.id < $1.id })
    where !known.contains(write.idempotencyKey) {
      write.id = next
      writes[next] = write
      next += 1
    }
  }
}
