#if CommandLine
  internal import FreshStore

  /// A failure, for programs and for people.
  struct ErrorOutput: Encodable {
    let code: String
    let message: String

    init(_ failure: FetchFailure) {
      code = failure.name
      message = failure.message
    }

    init(_ error: StoreError) {
      code = "store"
      message = "\(error)"
    }

    init(_ error: GetError) {
      let failure = CommandFailure(error)
      message = failure.message ?? ""
      code =
        switch error.code {
        case .offline: "offline"
        case .fetchFailed: error.fetchFailure?.name ?? "fetch-failed"
        case .absent: "absent"
        case .stale: "stale"
        case .missing: "missing"
        case .cancelled: "cancelled"
        case .store: "store"
        }
    }
  }

  extension FetchFailure {
    /// A stable name.
    fileprivate var name: String {
      switch code {
      case .thrown, .notAnswered, .notModifiedWithoutCopy: "fetch-failed"
      case .timedOut: "timed-out"
      case .refused, .notStorable: "refused"
      case .offline: "offline"
      case .originIsDown: "origin-is-down"
      case .pausing: "pausing"
      case .cancelled: "cancelled"
      }
    }
  }
#endif
