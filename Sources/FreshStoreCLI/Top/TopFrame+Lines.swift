#if CommandLine
  internal import FreshStore
  internal import Platform
  internal import Strategies

  extension TopFrame {
    /// The frame for people, not longer than `height` lines.
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
      // The title and the total stay; one line stands for the rows that do not fit.
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
