#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension Answer {
    /// The warning about a value that may differ from its source's; `nil` for none.
    var warning: String? {
      let copy = age.map { "a stale copy, \($0.brief) old" } ?? "a stale copy"
      let failure = fetchFailure?.message ?? "the fetch failed"
      switch freshness {
      case .fresh:
        return fetchFailure.map { "\($0.message); the copy is still fresh" }
      case .fetched, .revalidated: return nil
      case .staleWhileRevalidating: return "serving \(copy), while it is refreshed behind"
      case .staleOnError: return "serving \(copy): \(failure)"
      case .staleAfterTimeout: return "serving \(copy): the fetch takes long"
      case .staleOffline:
        return "offline, serving \(copy)" + (decision.map { ": \($0.cause)" } ?? "")
      case .stale: return "serving \(copy)"
      }
    }
  }
#endif
