#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// What a fleet says of one record.
  extension FleetLook {
    /// Whether marks that this host has not taken in cover the record; `nil` where that is not known.
    private func covers(_ explanation: Explanation) -> Bool? {
      guard case .success(let answer) = answer, place != nil else { return nil }
      guard case .marks(let marks, _, let isMore) = answer.news else { return true }
      let decision = explanation.decision
      let isCovered = marks.contains {
        $0.scope.covers(decision.collection, decision.key, tags: explanation.tags)
      }
      return isCovered || !isMore ? isCovered : nil
    }

    /// For `explain --json`.
    func explaining(_ explanation: Explanation) -> JSONFields {
      fields + ["isMarked": covers(explanation)]
    }

    /// For people.
    func lines(for explanation: Explanation) -> [String] {
      let answer: Answer
      switch self.answer {
      case .failure(let error):
        return [
          "its fleet is out of reach: \(CommandFailure.words(of: error))",
          "a get would go on alone; \(silence)",
        ].map(Console.printable)
      case .success(let found): answer = found
      }
      var lines = [
        "its fleet at \(address) answers in \(answer.roundTrip.brief); \(words(of: answer))"
      ]
      if explanation.decision.outcome != .missing {
        switch covers(explanation) {
        case true?:
          lines.append(
            "a mark of the fleet covers it: a get takes that in first, and finds it stale")
        case false?: break
        case nil where place != nil: lines.append("whether one of them covers it is not known")
        case nil: break
        }
      }
      return lines.map(Console.printable)
    }
  }

  extension SharedMark.Scope {
    /// True when the mark is one of this record, too.
    func covers(_ collection: String, _ key: String, tags: [String]) -> Bool {
      switch self {
      case .key(let marked): marked == SharedKey(collection, key)
      case .tag(let tag): tags.contains { tag.elementsEqual($0.utf8) }
      case .prefix(let prefix, let name):
        name.elementsEqual(collection.utf8) && key.utf8.starts(with: prefix)
      case .collection(let name): name.elementsEqual(collection.utf8)
      case .all: true
      }
    }
  }
#endif
