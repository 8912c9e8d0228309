internal import Strategies

/// What a writer states of a record; everything else the store adds.
struct RecordContent: Sendable {
  var collection: String
  var key: String
  var value: [UInt8]?
  var lastUpdate: Timestamp?
  var expiry: Expiry
  var hardEnd: Duration?
  var graceWhileRevalidating: Duration?
  var graceOnError: Duration?
  var mustRevalidate = false
  var validators = Validators()
  var source: String?
  var contentType: String?
  var codec = ""
  var contentVersion: Int64 = 0
  var variant: String?
  var metadata: String?
  /// How long the fetch took, in milliseconds.
  var fetchCost: Int64?
  var size: Int64 = 0

  var id: RecordID { RecordID(collection, key) }
}

extension Expiry {
  /// The column's form: milliseconds, −1 for never, NULL for unstated.
  var stored: Int64? {
    switch self {
    case .after(let duration): min(max(0, duration.wholeMilliseconds), Self.longest)
    case .never: -1
    case .immediately: 0
    case .unstated: nil
    }
  }

  init(stored: Int64?) {
    switch stored {
    case nil: self = .unstated
    case -1: self = .never
    case 0: self = .immediately
    case .some(let milliseconds): self = .after(.milliseconds(milliseconds))
    }
  }

  /// Some 30,000 years: longer spans are held here, so that `last_update + expiry` stays an integer.
  private static let longest: Int64 = 1_000_000_000_000_000
}
