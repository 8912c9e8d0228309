extension GetError: CustomStringConvertible {
  /// One line: the record, the failure, and the next step.
  public var description: String {
    var words = "cannot get \(KeyText.shown(key).debugDescription) of '\(collection)': \(problem)"
    if let decision, code != .store, code != .cancelled {
      words += "; the store has: \(decision)"
    }
    if let storeFailure, code != .store { words += "; and the store failed: \(storeFailure)" }
    return words + advice
  }

  private var problem: String {
    switch code {
    case .offline: "its source is provably out of reach, and no copy may be served"
    case .fetchFailed: fetchFailure?.message ?? "the fetch failed"
    case .absent: "the source says that it does not exist"
    case .stale: "the copy is stale, and the source was not to be asked"
    case .missing: "there is no usable copy, and the source was not to be asked"
    case .cancelled: "the task that asked was cancelled"
    case .store: storeFailure.map { "\($0)" } ?? "the store failed"
    }
  }

  private var advice: String {
    switch code {
    case .offline: "; try again online"
    case .stale, .missing: "; allow the policy to ask the source"
    case .fetchFailed, .absent, .cancelled, .store: ""
    }
  }
}
