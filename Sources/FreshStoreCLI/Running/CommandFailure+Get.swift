#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  extension CommandFailure {
    /// The failure of a get without an answer, and the next step.
    init(_ error: GetError) {
      let key = Console.quoted(key: error.key)
      switch error.code {
      case .offline:
        self.init(
          .nothingToServe,
          "\(key): \(Self.state(of: error.decision)), and the source is out of reach; try again "
            + "online, or pass --online if the source needs no route to the Internet")
      case .stale, .missing:
        self.init(.nothingToServe, "\(key): \(Self.state(of: error.decision))")
      case .absent:
        self.init(.absent, "\(key): the source says that it does not exist")
      case .fetchFailed:
        self.init(Self.status(of: error.fetchFailure), "\(key): \(Self.words(of: error))")
      case .cancelled:
        self.init(.fetchFailed, "\(key): the get was cancelled")
      case .store:
        guard let failure = error.storeFailure else {
          self.init(.store, "\(key): the store failed")
          return
        }
        self.init(failure)
      }
    }

    private static func state(of decision: Decision?) -> String {
      guard let decision else { return "nothing usable is stored" }
      switch decision.outcome {
      case .stale where decision.mustRevalidate:
        return "the copy is stale and must not be served without asking the source"
      case .stale: return "the copy is stale (\(decision.cause))"
      default: return "\(decision.cause)"
      }
    }

    private static func words(of error: GetError) -> String {
      let message = error.fetchFailure?.message ?? "the fetch failed"
      var failure = message + option(for: error.fetchFailure?.underlying as? HTTPFetchError)
      switch error.fetchFailure?.code {
      case .pausing, .originIsDown: failure += "; --refresh asks at once"
      default: break
      }
      guard error.decision?.outcome == .stale else { return failure }
      return failure + "; the copy is too old to stand in, which --stale-if-error can allow"
    }

    /// The option by which the advice that ends a message is followed.
    private static func option(for error: HTTPFetchError?) -> String {
      switch error {
      case .tls(_, .untrusted): ", by --cacert FILE"
      case .tooLarge: ", by --max-size"
      case .timedOut: ", by --timeout or --connect-timeout"
      case .tooManyRedirects: ", by --max-redirs"
      default: ""
      }
    }

    /// A size limit is a rule like any other, wherever it is broken.
    private static func status(of failure: FetchFailure?) -> ExitStatus {
      switch failure?.code {
      case .refused, .notStorable: return .refused
      default: break
      }
      if case .tooLarge = failure?.underlying as? CommandError { return .refused }
      if case .tooLarge = failure?.underlying as? HTTPFetchError { return .refused }
      return .fetchFailed
    }
  }
#endif
