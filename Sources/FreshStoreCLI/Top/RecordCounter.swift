#if CommandLine
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// Counts all records, without a burden on other users of the store.
  ///
  /// A pass reads some thousand records at a time and rests in between. The next pass begins only after a change or
  /// an expiry, and not before twenty times the duration of the last one.
  final class RecordCounter: Sendable {
    /// The counts of a whole pass.
    struct Totals: Sendable {
      var collections: [ExactName: RecordCounts.Counts] = [:]
      /// The first moment at which a fresh record expires.
      var nextExpiry: Timestamp?
      /// How long the pass has read the store.
      var work = Duration.zero
      /// When the pass ended.
      var end = ContinuousClock.now
      /// The number of changes when the pass began.
      var changes = 0
    }

    private let store: Store
    private let meter: ChangeMeter
    private let latest = Mutex<Totals?>(nil)
    private static let sliceLimit = 2000
    /// The rest after a slice, and after a pass, in multiples of its duration.
    private static let sliceRest = 4
    private static let passRest = 20

    init(_ store: Store, _ meter: ChangeMeter) {
      self.store = store
      self.meter = meter
    }

    /// The newest counts; `nil` before the first pass is over.
    var totals: Totals? { latest.withLock { $0 } }

    /// Counts, if the counts are out of date and the rest is over.
    func refresh() async throws {
      if let totals, !isOutdated(totals) { return }
      try await count(rests: true)
    }

    /// Counts now; with `rests`, other users are not blocked.
    func count(rests: Bool) async throws {
      var totals = Totals(changes: meter.total)
      var last = Int64.min
      while true {
        try Task.checkCancellation()
        let start = ContinuousClock.now
        let slice = try store.countRecords(after: last, limit: Self.sliceLimit)
        let work = ContinuousClock.now - start
        last = slice.end
        totals.work += work
        for (name, counts) in slice.collections {
          totals.collections[name, default: .init()] += counts
        }
        if let expiry = slice.nextExpiry {
          totals.nextExpiry = min(expiry, totals.nextExpiry ?? expiry)
        }
        if slice.isLast { break }
        if rests { try await SystemClock().sleep(for: work * Self.sliceRest) }
      }
      totals.end = .now
      latest.withLock { $0 = totals }
    }

    private func isOutdated(_ totals: Totals) -> Bool {
      let now = ContinuousClock.now
      guard now - totals.end >= totals.work * Self.passRest else { return false }
      let hasExpired = totals.nextExpiry.map { $0 <= SystemClock().reading().wall } ?? false
      return hasExpired || meter.total != totals.changes
    }
  }

  /// Counts changes by kind between one look and the next.
  final class ChangeMeter: Sendable {
    /// The changes since the previous look.
    struct Reading: Sendable {
      var counts: [Change.Kind: Int] = [:]
      /// Changes that were missed and are in no count.
      var missed = 0
      /// The time since the previous look.
      var seconds = 0.0
    }

    private struct State {
      var reading = Reading()
      var last: Reading?
      var since = ContinuousClock.now
      var total = 0
    }

    private static let shortest: Duration = .milliseconds(90)
    private let state = Mutex(State())

    /// The number of changes so far. Counts from before a change are out of date.
    var total: Int { state.withLock { $0.total } }

    func count(_ change: Change) {
      state.withLock { state in
        state.reading.counts[change.kind, default: 0] += 1
        state.reading.missed += change.missed
        state.total += 1
      }
    }

    /// Takes the counts out. A look right after another gets the same counts: a rate over a moment would mean
    /// nothing.
    func take() -> Reading {
      state.withLock { state in
        let now = ContinuousClock.now
        if let last = state.last, now - state.since < Self.shortest { return last }
        var reading = state.reading
        reading.seconds = max(0.001, (now - state.since) / .seconds(1))
        state.reading = Reading()
        state.last = reading
        state.since = now
        return reading
      }
    }
  }
#endif
