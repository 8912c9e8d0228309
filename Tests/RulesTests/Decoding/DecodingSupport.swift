import FoundationEssentials
import Rules

/// The report of the error a closure throws; `nil` when it throws none.
func failure<Result>(_ body: () throws(VerificationError) -> Result) -> Report? {
  do {
    _ = try body()
    return nil
  } catch {
    return error.report
  }
}

func json(_ text: String) -> Data { Data(text.utf8) }

extension Report {
  /// The issues as `path code`, in order.
  var lines: [String] { issues.map { "\($0.path) \($0.code)" } }
}
