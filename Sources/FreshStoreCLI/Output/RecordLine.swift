#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// A record in one line of a listing.
  enum RecordLine {
    static func text(_ record: RecordSummary) -> String {
      [
        Console.printable(record.collection), Console.printable(record.key),
        record.decision.outcome.rawValue, record.decision.age?.brief ?? "-", "\(record.size)",
      ].joined(separator: "\t")
    }
  }
#endif
