import FreshStore
import Rules

extension StoreError {
  /// What the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? {
    if case .refused(let report) = code { report.issues } else { nil }
  }
}

extension FetchFailure {
  /// What the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? {
    if case .refused(let report) = code { report.issues } else { nil }
  }
}

extension GetError {
  /// What the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? { fetchFailure?.refusal }
}
