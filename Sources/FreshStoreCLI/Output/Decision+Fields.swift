#if CommandLine
  internal import FreshStore
  internal import Strategies

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
    /// A strategy that was asked, and its answer.
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
