import FreshStore
import Rules

extension StoreError {
  /// The rules that the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? {
    if case .refused(let report) = code { report.issues } else { nil }
  }
}

extension FetchFailure {
  /// The rules that the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? {
    if case .refused(let report) = code { report.issues } else { nil }
  }
}

extension GetError {
  /// The rules that the refused value broke; `nil` when nothing was refused.
  var refusal: [Rules.Issue]? { fetchFailure?.refusal }
}
