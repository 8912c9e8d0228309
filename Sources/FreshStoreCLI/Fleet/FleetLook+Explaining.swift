#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// What a fleet says of one record.
  extension FleetLook {
    /// What a get would hear of a record; `nil` without an answer.
    var hearing: FleetHearing? {
      guard case .success(let answer) = answer else { return nil }
      return FleetHearing(news: answer.news, result: answer.result)
    }

    /// Whether marks that this host has not taken in cover the record; `nil` where that is not known.
    private func covers(_ explanation: Explanation) -> Bool? {
      guard case .success(let answer) = answer, place != nil else { return nil }
      guard case .marks(let marks, _, let isMore) = answer.news else { return true }
      let key = SharedKey(explanation.decision.collection, explanation.decision.key)
      let tags = explanation.tags.map { Array($0.utf8) }
      let isCovered = marks.contains { $0.scope.applies(to: key, tags: tags) }
      return isCovered || !isMore ? isCovered : nil
    }

    /// For `explain --json`.
    func explaining(_ explained: FleetExplanation) -> JSONFields {
      fields + ["isMarked": covers(explained.explanation), "from": explained.owner]
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
        case nil:
          lines.append("a store that joins its fleet takes what it has for stale, once")
        }
      }
      return lines.map(Console.printable)
    }

    // MARK: Without a store

    /// The host whose record a get would take; `nil` for none.
    var owner: String? {
      guard case .success(let answer) = answer, case .found(let finding)? = answer.result else {
        return nil
      }
      return finding.owner
    }
  }
#endif
