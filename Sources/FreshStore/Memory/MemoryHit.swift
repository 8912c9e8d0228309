/// A record in memory, and what the gate decided of it.
@usableFromInline
struct MemoryHit: Sendable {
  @usableFromInline let record: ResidentRecord
  @usableFromInline let decision: Decision
  @usableFromInline let isServable: Bool

  init(_ record: ResidentRecord, _ decision: Decision) {
    self.record = record
    self.decision = decision
    isServable = decision.isServable
  }
}
