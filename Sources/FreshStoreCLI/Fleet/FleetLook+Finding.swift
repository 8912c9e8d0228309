#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// What the doctor says of a fleet.
  extension FleetLook {
    var finding: Finding {
      switch answer {
      case .success(let answer): judged(by: answer)
      case .failure(let error): judged(by: error)
      }
    }

    private func judged(by answer: Answer) -> Finding {
      let text = "\(address) answers in \(answer.roundTrip.brief); \(words(of: answer))"
      guard answer.missingRights.isEmpty else {
        return .problem(
          "fleet",
          "\(text), but its user lacks rights: \(answer.missingRights.joined(separator: ", "))",
          CommandFailure.grants)
      }
      guard answer.first <= limit else {
        return .warning(
          "fleet",
          "\(text), but a command waits \(limit.brief) for it, and its first answer took "
            + "\(answer.first.brief): it would go on alone",
          "let commands wait longer, by --fleet-limit")
      }
      switch missing {
      case 0?: return .ok("fleet", text)
      case nil where place == nil: return .ok("fleet", text)
      default:
        return .warning(
          "fleet", text,
          "any get or sweep with --fleet takes them in; freshstore sync run hears of them at once")
      }
    }

    private func judged(by error: SharedTierError) -> Finding {
      let advice = CommandFailure.step(after: error) ?? "see freshstore help fleet"
      switch error.code {
      // These end by themselves, or by somebody else's doing.
      case .unreachable, .slow, .readOnly, .full, .other, .closed, .cancelled:
        return .warning(
          "fleet",
          "\(address) is out of reach, and this host goes on alone: \(error); \(silence)", advice)
      default:
        return .problem("fleet", "\(address) cannot be used: \(error)", advice)
      }
    }
  }
#endif
