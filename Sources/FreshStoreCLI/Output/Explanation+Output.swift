#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension FleetExplanation {
    /// The action of a get that takes another host's copy from the fleet.
    static let takesFromFleet = "take-from-fleet"

    /// The action in words.
    static func words(takingFrom owner: String) -> String {
      "take what \(owner) has brought to the fleet"
    }

    /// The output of `explain --json`.
    var fields: JSONFields {
      explanation.fields(
        action: owner == nil ? explanation.action.rawValue : Self.takesFromFleet)
    }

    /// The explanation for people, one fact per line.
    var lines: [String] {
      explanation.lines(
        action: owner.map { Self.words(takingFrom: $0) } ?? explanation.action.words)
    }
  }

  extension Explanation {
    fileprivate func fields(action: String) -> JSONFields {
      [
        "collection": decision.collection,
        "key": decision.key,
        "action": action,
        "decision": decision.fields,
        "trace": decision.trace.map(\.fields),
        "fetchedBy": fetchedBy,
        "refusal": refusal?.message,
        "breaker": origin?.name,
        "originIsDownUntil": originIsDownUntil?.description,
        "tags": tags,
        "isPinned": isPinned,
        "size": size,
        "source": source,
        "contentType": contentType,
        "entityTag": validators.entityTag,
        "lastModified": validators.lastModified,
      ]
    }

    fileprivate func lines(action: String) -> [String] {
      let decision = decision
      var lines = [
        "\(decision.collection)/\(decision.key): \(decision.outcome.rawValue), "
          + "decided by \(decision.decidedBy): \(decision.cause)",
        "a get would: \(action)",
      ]
      if let refusal { lines.append("its source is not asked: \(refusal.message)") }
      for step in decision.trace { lines.append("asked \(step.strategy): \(step.opinion)") }
      if let lastUpdate = decision.lastUpdate {
        let age = decision.age.map { ", \($0.brief) ago" } ?? ""
        lines.append("last update: \(lastUpdate)\(age); expiry: \(decision.expiry.words)")
      }
      if let staleFor = decision.staleFor, decision.outcome != .missing {
        lines.append(
          "stale for: \(staleFor.brief); a get may serve it \(decision.graceWhileRevalidating.brief) "
            + "while it is refreshed, \(decision.graceOnError.brief) when a fetch fails")
      }
      if decision.mustRevalidate { lines.append("a get must not serve it stale") }
      if decision.failures > 0 {
        lines.append(
          "failed fetches: \(decision.failures), the last: \(decision.failure ?? "no reason kept")"
            + (decision.nextAttempt.map { "; next attempt: \($0)" } ?? ""))
      }
      if let until = originIsDownUntil {
        lines.append("its origin is left alone until \(until)")
      } else if origin == nil, decision.failures > 0 {
        lines.append("no breaker: its source has no known origin, so each record pauses by itself")
      }
      if let fetchedBy { lines.append("being fetched by \(fetchedBy)") }
      return (lines + recordLines).map(Console.printable)
    }

    private var recordLines: [String] {
      let facts = [
        source.map { "source: \($0)" }, contentType.map { "type: \($0)" },
        tags.isEmpty ? nil : "tags: \(tags.joined(separator: ", "))",
        validators.entityTag.map { "entity tag: \($0)" },
        validators.lastModified.map { "last modified: \($0)" },
        isPinned ? "pinned: never pruned" : nil,
      ]
      return (decision.outcome == .missing ? [] : ["size: \(size) bytes"])
        + facts.compactMap(\.self)
    }
  }

  extension Explanation.Action {
    fileprivate var words: String {
      switch self {
      case .serve: "serve the copy"
      case .serveAndRefresh: "serve the copy and refresh it behind"
      case .standIn: "serve the copy, since its source is not asked now"
      case .fetch: "fetch it and wait"
      case .fail: "fail at once"
      }
    }
  }

  extension Decision {
    /// The decision of the gate, with its figures.
    var fields: JSONFields {
      [
        "outcome": outcome.rawValue,
        "decidedBy": decidedBy,
        "reason": cause.fields,
        "lastUpdate": lastUpdate?.description,
        "ageSeconds": age?.inSeconds,
        "expiry": expiry.name,
        "expirySeconds": expiry.inSeconds,
        "staleForSeconds": staleFor?.inSeconds,
        "mustRevalidate": mustRevalidate,
        "graceWhileRevalidatingSeconds": graceWhileRevalidating.inSeconds,
        "graceOnErrorSeconds": graceOnError.inSeconds,
        "hardEndSeconds": hardEnd?.inSeconds,
        "maximumAgeSeconds": maximumAge?.inSeconds,
        "mark": mark,
        "failures": failures,
        "lastFailure": failure,
        "nextAttempt": nextAttempt?.description,
      ]
    }
  }

  extension Decision.Cause {
    /// The reason, for programs and for people.
    var fields: JSONFields { ["code": code, "words": "\(self)"] }
  }

  extension Judgement.Step {
    /// A strategy that was asked, and its opinion.
    var fields: JSONFields {
      [
        "strategy": strategy,
        "verdict": opinion.verdict.rawValue,
        "reason": ["code": opinion.reason.code, "words": "\(opinion.reason)"] as JSONFields,
        "parts": parts.map(\.fields),
      ]
    }
  }
#endif
