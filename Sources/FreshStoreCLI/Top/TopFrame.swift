#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The view at one moment.
  struct TopFrame: Encodable, Sendable {
    /// The counts of one collection.
    struct Row: Encodable, Sendable {
      let name: String
      let fresh: Int
      let stale: Int
      let absent: Int
      let waitingWrites: Int
      let parkedWrites: Int
      let bytes: Int
    }

    /// The known state of the network.
    struct Network: Encodable, Sendable {
      let state: String
      let words: String
    }

    let path: String
    let time: String
    let network: Network
    /// By name; `nil` while a large store is counted for the first time.
    let collections: [Row]?
    /// The age of the counts.
    let countedSecondsAgo: Double?
    let due: Int
    /// True when there are more than the count.
    let isDueAtLeast: Bool
    let nextDue: String?
    let nextDueInSeconds: Double?
    let leases: Int
    let failingOrigins: Int
    let waitingWrites: Int
    let parkedWrites: Int
    /// Changes since the frame before, by kind.
    let changes: [String: Int]
    let missedChanges: Int
    /// The time from the frame before to this one.
    let seconds: Double
    let fileBytes: Int
    let freeBytes: Int
    let logBytes: Int

    init(
      path: String, _ quickStatistics: QuickStatistics, _ totals: RecordCounter.Totals?,
      _ reading: ChangeMeter.Reading,
      _ reachability: Reachability
    ) {
      let now = SystemClock().reading().wall
      let work = quickStatistics.work
      self.path = path
      time = now.description
      network = Network(state: reachability.code, words: reachability.description)
      collections = totals.map { Self.rows($0, work.writes) }
      countedSecondsAgo = totals.map { (ContinuousClock.now - $0.end).inSeconds }
      due = work.due
      isDueAtLeast = work.due >= QuickStatistics.limit
      nextDue = work.nextDue?.description
      nextDueInSeconds = work.nextDue?.duration(since: now).inSeconds
      leases = work.fetches
      failingOrigins = work.failingOrigins.count
      waitingWrites = work.waitingWrites
      parkedWrites = work.parkedWrites
      changes = Dictionary(
        uniqueKeysWithValues: reading.counts.map { ($0.key.rawValue, $0.value) })
      missedChanges = reading.missed
      seconds = reading.seconds
      fileBytes = quickStatistics.fileBytes
      freeBytes = quickStatistics.freeBytes
      logBytes = quickStatistics.logBytes
    }

    /// A record with a local write alone is in no other count.
    private static func rows(
      _ totals: RecordCounter.Totals, _ writes: [ExactName: WaitingWork.Writes]
    ) -> [Row] {
      Set(totals.collections.keys).union(writes.keys).sorted().map { name in
        let counts = totals.collections[name] ?? .init()
        let writes = writes[name]
        return Row(
          name: name.text, fresh: counts.fresh, stale: counts.stale, absent: counts.absent,
          waitingWrites: writes?.waiting ?? 0, parkedWrites: writes?.parked ?? 0,
          bytes: counts.bytes)
      }
    }
  }
#endif
