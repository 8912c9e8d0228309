internal import Strategies

extension Decision {
  /// True when the copy may be served, or the answer "does not exist" is still valid.
  public var isServable: Bool {
    switch outcome {
    case .fresh, .offline, .absent: true
    case .stale, .unusable, .missing: false
    }
  }
}

extension Decision: CustomStringConvertible {
  /// One line: the outcome, its strategy, and its cause.
  public var description: String { "\(outcome.rawValue) (\(decidedBy)): \(cause)" }
}

extension Decision.Cause: CustomStringConvertible {
  /// The cause, with figures.
  public var description: String {
    switch self {
    case .chain(let reason): reason.description
    case .nothingStored: "nothing is stored under the key"
    case .neverFetched: "no fetch has succeeded yet"
    case .pastHardEnd(let age, let hardEnd):
      "age \(age.brief) is past the hard end of \(hardEnd.brief)"
    case .damaged: "the checksum of the record does not match its bytes"
    case .undecodable(let words): "the stored bytes do not decode: \(words)"
    case .refused(let report): "the stored value breaks its rules: \(report)"
    case .otherVersion(let found, let required):
      "the record is of content version \(found), not \(required)"
    case .otherVariant: "the copy answers another variant of the request"
    case .pendingWrite: "a local write waits to reach the source"
    case .unreadable(let words): "the store could not be read: \(words)"
    }
  }

  /// A stable name for logs and machine-readable output; it never changes once released.
  public var code: String {
    switch self {
    case .chain(let reason): reason.code
    case .nothingStored: "nothing-stored"
    case .neverFetched: "never-fetched"
    case .pastHardEnd: "past-hard-end"
    case .damaged: "damaged"
    case .undecodable: "undecodable"
    case .refused: "refused"
    case .otherVersion: "other-version"
    case .otherVariant: "other-variant"
    case .pendingWrite: "pending-write"
    case .unreadable: "unreadable"
    }
  }
}
