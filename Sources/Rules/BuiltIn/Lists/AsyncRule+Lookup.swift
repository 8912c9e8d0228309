extension AsyncRule {
  /// Kept by a value for which `isKnown` holds elsewhere, such as in a collection of a store.
  ///
  /// When the look-up fails there is no verdict: the outcome is ``Outcome/undecided``, with the
  /// error as its reason. A stricter caller checks the report's outcome.
  public static func existing(
    in place: String, _ isKnown: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("unknown", parameters: ["place": .text(place)]), isKnown)
  }

  /// Kept by a value for which `isKnown` does not hold yet; without a verdict when the look-up
  /// fails. Another writer may come between the check and the write, so give the storage its own
  /// constraint where that matters.
  public static func unique(
    in place: String, _ isKnown: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("already-known", parameters: ["place": .text(place)])) {
      try await !isKnown($0)
    }
  }

  static func lookingUp(
    _ issue: Issue, _ isKept: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    AsyncRule { value, findings in
      do {
        return try await isKept(value) ? .passed : findings.fail(issue)
      } catch {
        return findings.leaveUndecided("the look-up failed: \(error)")
      }
    }
  }
}

extension AsyncRule<String> {
  /// Kept by an e-mail address whose domain, the part after its last `@`, receives mail.
  ///
  /// Asks no name server by itself: `resolves` does, and returns the answer. Without a verdict when
  /// it fails. An earlier ``Rule/email(_:international:)`` checks the form of the address.
  public static func emailDomain(
    _ resolves: @escaping @Sendable (_ domain: String) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("unknown-domain")) { address in
      guard let at = address.lastIndex(of: "@") else { return false }
      return try await resolves(String(address[address.index(after: at)...]))
    }
  }
}
