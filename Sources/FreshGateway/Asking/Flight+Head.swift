#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// What an answer means for whoever is not its sender.
  extension Flight.Head {
    var stored: StoredAnswer? {
      if case .success(let stored) = conclusion.storing { stored } else { nil }
    }

    /// The copy that the origin has confirmed, as it is from now on, and its place.
    var confirmed: (answer: StoredAnswer, index: Int)? {
      guard case .copy(_, from: let index) = conclusion.reply else { return nil }
      for change in conclusion.changes {
        switch change {
        case .renew(index, let stored), .add(let stored, contentOf: index): return (stored, index)
        case .renew, .add, .invalidate, .remove: continue
        }
      }
      return nil
    }

    /// The answer as it is stored, or would be if it were of use to whoever asks later.
    var storable: StoredAnswer? { stored ?? conclusion.momentary }

    /// What others who have waited may be answered with.
    var shareable: StoredAnswer? { storable ?? confirmed?.answer }

    /// The tags that count for what others are answered with: those of the answer, and of the copies whose place it
    /// takes.
    var tags: Set<String> {
      guard let origin = plan.request.address?.origin else { return [] }
      let answers = plan.candidates.map(\.answer) + [shareable].compactMap(\.self)
      return Set(
        answers.flatMap(\.terms.groups).map { CacheGroups.tag($0, origin: origin) })
    }

    /// False when the next answer of the address is most likely for one request alone, too.
    var mayBeSharedNext: Bool {
      guard case .failure(let refusal) = conclusion.storing else { return true }
      switch refusal {
      case .request, .requestNoStore, .authorization, .partial: return true
      case .notKept, .overtaken, .tooLarge, .tooSmall, .rules, .unchecked, .broken: return true
      case .useless, .cookie, .serverError: return conclusion.momentary != nil
      case .status, .noStore, .private, .mustUnderstand, .variesByEverything, .notCacheable,
        .setsCookie, .ambiguousLength:
        return false
      }
    }

    func with(_ conclusion: Conclusion) -> Flight.Head {
      Flight.Head(
        plan: plan, copies: copies, outcome: outcome, conclusion: conclusion, body: nil,
        arrival: arrival)
    }
  }
#endif
