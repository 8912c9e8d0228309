internal import FreshHTTP
internal import FreshStore
internal import Strategies

extension FetchFailure {
  /// The failure as its clients hear of it.
  ///
  /// - Parameter namesCause: True where they may hear what operators do: those of a proxy have named the origin
  ///   themselves.
  func noAnswer(at now: Timestamp, namingCause namesCause: Bool = false) -> NoAnswer {
    var answer = NoAnswer(words: namesCause ? reason : words, wasSent: !isUnasked)
    answer.cause = reason
    switch code {
    case .originIsDown(let end), .pausing(let end): answer.retryAfter = end.duration(since: now)
    case .thrown:
      switch underlying as? HTTPFetchError {
      case .transport, .malformedAnswer, .tls, .proxy: answer.status = 502
      // The origin has no part in that, nor in what it is not asked for.
      case .shortage: answer.status = 503
      case .badURL: (answer.status, answer.wasSent) = (403, false)
      default: break
      }
    default: break
    }
    return answer
  }

  /// Whom the failure tells something besides whoever has asked.
  ///
  /// - Parameter wasConnected: True where there was a connection to the origin.
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

  /// False where the origin was not asked, its clients have gone, or the gateway itself was in its way: then it has not
  /// failed.
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

  /// To clients of a proxy that ask for what it does not lead to.
  static let guardedWords = "this proxy does not lead there"

  /// Why an origin gave no answer, for operators.
  var reason: String { (underlying as? HTTPFetchError)?.reason ?? words }

  /// Why an origin gave no answer, for its clients: without a word about where it is.
  var words: String {
    switch code {
    case .offline: "the origin is provably out of reach"
    case .originIsDown(let end):
      "the origin keeps failing, and is left alone until \(HTTPDate.format(end))"
    // What an origin asks for itself (Retry-After) counts once it keeps failing.
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
  /// What the system, or the library of TLS or HTTP, says.
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
  /// The same where the answer is not kept after all; `Cache-Status` says so.
  ///
  /// - Parameter words: What it says, where that is more than the word for the refusal.
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

  /// The same where the copy that the origin has confirmed stays as it was.
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
