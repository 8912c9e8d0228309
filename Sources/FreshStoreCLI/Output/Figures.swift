#if CommandLine
  internal import Strategies

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension Duration {
    /// In seconds, to the millisecond.
    var inSeconds: Double { Double(wholeMilliseconds) / 1000 }

    /// In seconds, to the microsecond, for what may take less than a millisecond.
    var inPreciseSeconds: Double { (self / .microseconds(1)).rounded() / 1_000_000 }
  }

  extension Expiry {
    /// A stable name of the case.
    var name: String {
      switch self {
      case .after: "after"
      case .never: "never"
      case .immediately: "immediately"
      case .unstated: "unstated"
      }
    }

    /// In seconds; `nil` when there is no such number.
    var inSeconds: Double? {
      switch self {
      case .after(let duration): duration.inSeconds
      case .immediately: 0
      case .never, .unstated: nil
      }
    }

    /// For people.
    var words: String {
      switch self {
      case .after(let duration): duration.brief
      default: name
      }
    }
  }

  /// Bytes that are not text, as text (RFC 4648 section 4).
  enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
  }
#endif
