#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The reason, for programs and for people.
  struct ReasonOutput: Encodable {
    let code: String
    let words: String

    init(_ cause: Decision.Cause) {
      code = cause.code
      words = "\(cause)"
    }

    init(_ reason: Reason) {
      code = reason.code
      words = "\(reason)"
    }
  }
#endif
