#if CommandLine
  internal import FreshStore
  internal import Platform
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
    /// The collections by name; `nil` while a large store is counted for the first time.
    let collections: [Row]?
    /// The age of the counts.
    let countedSecondsAgo: Double?
    let due: Int
    /// True when more is due than the number says.
    let isDueAtLeast: Bool
    let nextDue: String?
    let nextDueInSeconds: Double?
    let leases: Int
    let failingOrigins: Int
    let waitingWrites: Int
    let parkedWrites: Int
    /// Changes since the previous frame, by kind.
    let changes: [String: Int]
    let missedChanges: Int
    /// The time since the previous frame.
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

    /// The rows by collection. A record that has only a local write is in no other count.
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

    // MARK: For people

    /// The frame for people, with at most `height` lines.
    func lines(height: Int = .max) -> [String] {
      let head = [
        "freshstore top  \(Console.printable(path))  \(time)",
        "network: \(Console.printable(network.words))",
        "store:   \(ByteCount.words(fileBytes)), \(ByteCount.words(freeBytes)) of them free; "
          + "log \(ByteCount.words(logBytes))",
        "queue:   \(due)\(isDueAtLeast ? " or more" : "") due\(next); \(leases) being fetched; "
          + "\(failingOrigins) failing origins",
        "outbox:  \(waitingWrites) waiting, \(parkedWrites) parked",
        "changes: \(rates)",
        "",
      ]
      return Array((head + table(height: height - head.count)).prefix(max(1, height)))
    }

    private var next: String {
      guard let nextDueInSeconds, nextDueInSeconds > 0, due == 0 else { return "" }
      return ", the next in \(Duration.seconds(nextDueInSeconds).brief)"
    }

    /// Changes per second, the kinds in a fixed order.
    private var rates: String {
      let kinds: [Change.Kind] = [
        .stored, .revalidated, .absent, .written, .pushed, .restored, .marked, .removed, .unknown,
      ]
      let rates = kinds.compactMap { kind in
        changes[kind.rawValue].map { "\(kind.rawValue) \(Self.tenths(Double($0) / seconds))/s" }
      }
      let missed = missedChanges > 0 ? ["\(missedChanges) missed"] : []
      return rates.isEmpty && missed.isEmpty ? "none" : (rates + missed).joined(separator: "  ")
    }

    private static func tenths(_ rate: Double) -> String {
      let tenths = Int((min(rate, 1e9) * 10).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: The table

    private static let title = [
      "COLLECTION", "FRESH", "STALE", "ABSENT", "WAITING", "PARKED", "SIZE",
    ]

    private func table(height: Int) -> [String] {
      guard let collections else { return ["counting the records …"] }
      // The title and the total stay. One line replaces the rows that do not fit.
      let room = max(0, height - 2)
      let isWhole = collections.count <= room
      let shown = isWhole ? collections[...] : collections.prefix(max(0, room - 1))
      let cells =
        [Self.title] + shown.map { Self.cells($0, Console.printable($0.name)) }
        + [Self.cells(total(collections), "all")]
      var lines = Self.aligned(cells)
      if !isWhole {
        lines.insert("… \(collections.count - shown.count) more", at: lines.count - 1)
      }
      return lines
    }

    private func total(_ rows: [Row]) -> Row {
      Row(
        name: "", fresh: rows.reduce(0) { $0 + $1.fresh }, stale: rows.reduce(0) { $0 + $1.stale },
        absent: rows.reduce(0) { $0 + $1.absent }, waitingWrites: waitingWrites,
        parkedWrites: parkedWrites,
        bytes: rows.reduce(0) { $0 + $1.bytes })
    }

    private static func cells(_ row: Row, _ name: String) -> [String] {
      let counts = [row.fresh, row.stale, row.absent, row.waitingWrites, row.parkedWrites]
      return [name] + counts.map { "\($0)" } + [ByteCount.words(row.bytes)]
    }

    private static let longestName = 32

    private static func aligned(_ rows: [[String]]) -> [String] {
      var widths = [Int](repeating: 0, count: title.count)
      for row in rows {
        for (column, cell) in row.enumerated() {
          widths[column] = max(widths[column], TextWidth.columns(of: cell))
        }
      }
      widths[0] = min(widths[0], longestName)
      return rows.map { row in
        row.enumerated().map { column, cell in
          column == 0
            ? TextWidth.truncated(cell, to: widths[0]).padded(to: widths[0])
            : cell.indented(to: widths[column])
        }.joined(separator: "  ")
      }
    }
  }
#endif
