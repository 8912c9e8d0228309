internal import FreshHTTP
internal import FreshStore
internal import Strategies

extension FetchFailure {
  /// Returns the failure as clients are told of it.
  ///
  /// - Parameter namesCause: True to tell clients the cause that operators are told. Clients of a forward proxy have
  ///   named the origin themselves.
  func noAnswer(at now: Timestamp, namingCause namesCause: Bool = false) -> NoAnswer {
    var answer = NoAnswer(words: namesCause ? reason : words, wasSent: !isUnasked)
    answer.cause = reason
    switch code {
    case .originIsDown(let end), .pausing(let end): answer.retryAfter = end.duration(since: now)
    case .thrown:
      switch underlying as? HTTPFetchError {
      case .transport, .malformedAnswer, .tls, .proxy: answer.status = 502
      // The origin did not cause a shortage, nor a refused address.
      case .shortage: answer.status = 503
      case .badURL: (answer.status, answer.wasSent) = (403, false)
      default: break
      }
    default: break
    }
    return answer
  }

  /// The requests to which the failure also applies.
  ///
  /// - Parameter wasConnected: True when there was a connection to the origin.
  func concern(wasConnected: Bool) -> NoAnswer.Concern {
    guard wasConnected, isOfOrigin else { return .all }
    switch code {
    case .timedOut: return .request
    case .thrown:
      switch underlying as? HTTPFetchError {
      case .transport, .timedOut, .malformedAnswer: return .request
      default: return .all
      }
    default: return .all
    }
  }

  /// False when the origin has not failed: it was not asked, its clients left, or the gateway itself was the obstacle.
  var isOfOrigin: Bool {
    switch code {
    case .cancelled, .held: return false
    case .thrown:
      switch underlying as? HTTPFetchError {
      case .badURL, .cancelled, .shortage: return false
      default: return true
      }
    default: return !isUnasked
    }
  }

  /// Told to clients of a proxy that ask for a guarded address.
  static let guardedWords = "this proxy does not lead there"

  /// The reason for a missing response, for operators.
  var reason: String { (underlying as? HTTPFetchError)?.reason ?? words }

  /// The reason for a missing response, for clients. It does not reveal where the origin is.
  var words: String {
    switch code {
    case .offline: "the origin is provably out of reach"
    case .originIsDown(let end):
      "the origin keeps failing, and is left alone until \(HTTPDate.format(end))"
    // A `Retry-After` of the origin counts only when the origin keeps failing.
    case .pausing(let end):
      "the origin gave no answer when it was last asked, and is left alone until \(HTTPDate.format(end))"
    case .held: "the origin is held"
    case .timedOut: "the origin did not answer in time"
    case .cancelled: "the request was given up"
    default: (underlying as? HTTPFetchError)?.words ?? "the origin did not answer"
    }
  }
}

extension HTTPFetchError {
  /// The description from the system, or from the TLS or HTTP library.
  fileprivate var reason: String {
    switch self {
    case .transport(_, let description), .unreachable(_, let description),
      .shortage(_, let description), .proxy(_, _, let description):
      description
    case .tls(_, .untrusted(let host)):
      "the certificate of \(host) is not trusted: nobody trusted here has issued it, or it is not in force; name its "
        + "issuer by --cacert if that is your own"
    case .tls(_, let failure): "\(failure)"
    case .malformedAnswer(_, let description?): "\(words): \(description)"
    default: words
    }
  }

  fileprivate var words: String {
    switch self {
    case .timedOut: "the origin did not answer in time"
    case .unreachable: "the origin is out of reach"
    case .shortage: "the gateway is short of connections"
    case .tls: "there is no secure connection to the origin"
    case .proxy: "the proxy does not lead to the origin"
    case .cancelled: "the request was given up"
    case .badURL: FetchFailure.guardedWords
    case .malformedAnswer: "the origin's answer is not HTTP"
    default: "the connection to the origin failed"
    }
  }
}

extension Conclusion {
  /// Returns the conclusion for a response that is not stored after all. `Cache-Status` says so.
  ///
  /// - Parameter words: The detail in `Cache-Status`, if it is more than the name of the refusal.
  func unstored(_ refusal: StoringRefusal, _ words: String? = nil) -> Conclusion {
    guard case .origin(let status, let fields, let sendsContent) = reply,
      case .success = storing, let changed = Self.unstored(fields, words ?? refusal.rawValue)
    else { return self }
    var conclusion = self
    conclusion.storing = .failure(refusal)
    conclusion.joins = nil
    conclusion.reply = .origin(status: status, fields: changed, sendsContent: sendsContent)
    return conclusion
  }

  /// Returns the conclusion when the copy that the origin has confirmed stays unchanged.
  func unrenewed(_ refusal: StoringRefusal) -> Conclusion {
    guard case .copy(var plan, from: let index) = reply,
      let changed = Self.unstored(plan.fields, refusal.rawValue)
    else { return self }
    plan.fields = changed
    var conclusion = self
    conclusion.storing = .failure(refusal)
    conclusion.reply = .copy(plan, from: index)
    return conclusion
  }

  /// `nil` for fields that do not say that something is stored.
  private static func unstored(_ fields: HeaderFields, _ detail: String) -> HeaderFields? {
    var lines = fields.lines
    let last = lines.lastIndex { FieldSyntax.equalIgnoringCase($0.name, "Cache-Status") }
    guard let last, lines[last].value.contains("; stored") else { return nil }
    let text = lines[last].value.replacing("; stored", with: "") + "; detail=\"\(detail)\""
    lines[last] = HeaderFields.Line(name: "Cache-Status", value: text)
    return HeaderFields(lines)
  }
}

extension FileChange {
  /// Describes the change to operators.
  var words: String {
    switch self {
    case .movedAside(let path):
      "the store was damaged; it was moved to \(path) and a new one was begun, with what no source can give "
        + "again as far as it can be read; freshstore doctor says what may be left there"
    case .replaced:
      "the store was deleted or replaced by another program; the file that has its name from now on is used"
    }
  }
}
