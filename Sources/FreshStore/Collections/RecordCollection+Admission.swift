public import Rules

extension RecordCollection {
  /// The same collection, which moreover asks this rule of what is to be stored and served.
  public func admitting(_ rule: Rule<Value>) -> RecordCollection {
    var collection = self
    collection.admission.rule = admission.rule.map { .all($0, rule) } ?? rule
    return collection
  }

  /// The same collection, which moreover asks a rule that has to wait, such as a server's, of every
  /// fetched value and of every `put`.
  ///
  /// It is asked after the other rules, and only about what keeps them. After a fetch it is asked
  /// inside the one flight: callers share its answer as they share the value, and the values of a
  /// batch are asked about at the same time. As everywhere, a rule that has no verdict keeps nothing
  /// out. One that has not answered within the policy's hard timeout is cancelled, and what it makes of
  /// that is its answer (``RemoteRule`` says what silence means to it); a rule that goes on all the same
  /// has no verdict. A refusal counts as a failed fetch, but neither against the origin nor against the
  /// way to it.
  ///
  /// A read cannot wait: stored values are not asked about again. A flight is checked by the rules
  /// of the collection that began it, so all uses of one name should agree on them.
  public func admitting(awaiting rule: AsyncRule<Value>) -> RecordCollection {
    var collection = self
    collection.admission.awaited = admission.awaited.map { .all($0, rule) } ?? rule
    return collection
  }

  /// True where rules take their time.
  var awaitsRules: Bool { admission.awaited != nil }

  typealias Admitted = Result<Fetched<Value>, FetchFailure>

  /// Brings what a fetch brought into shape and checks it, each value for itself.
  func admitted(
    _ fetched: Result<[String: Fetched<Value>], FetchFailure>, for keys: [String], limit: Duration
  ) async -> [String: Admitted] {
    await withTaskGroup(of: (String, Admitted).self) { group in
      var admitted: [String: Admitted] = [:]
      for key in keys {
        let answer = shaped(fetched, key)
        if case .success(.value(let value, _)) = answer, let rule = admission.awaited {
          group.addTask { (key, await refusal(of: value, rule, limit: limit) ?? answer) }
        } else {
          admitted[key] = answer
        }
      }
      for await (key, answer) in group { admitted[key] = answer }
      return admitted
    }
  }

  /// A value of the caller's own in the shape in which it may be stored. When the caller is
  /// cancelled it is checked all the same, as it is then stored all the same.
  package func admitted(_ value: Value, for key: String) async throws(StoreError) -> Value {
    let value = try shaped(value, for: key)
    guard let rule = admission.awaited else { return value }
    let limit = policy.hardTimeout
    let answer = await Task { await self.refusal(of: value, rule, limit: limit) }.value
    guard case .failure(let failure) = answer, case .refused(let report) = failure.code else {
      return value
    }
    throw error(.refused(report), .put, key)
  }

  /// As ``admitted(_:for:)``, as far as can be told at once.
  func shaped(_ value: Value, for key: String) throws(StoreError) -> Value {
    let (value, refusal) = admission.shaped(value)
    if let refusal { throw error(.refused(refusal), .put, key) }
    return value
  }

  /// What can be told at once.
  private func shaped(
    _ fetched: Result<[String: Fetched<Value>], FetchFailure>, _ key: String
  ) -> Admitted {
    switch fetched.map({ $0[key] }) {
    case .failure(let failure): return .failure(failure)
    case .success(nil): return .failure(.notAnswered(key))
    case .success(.value(let value, let details)):
      let (shaped, refusal) = admission.shaped(value)
      return refusal.map { .failure(.refused($0)) } ?? .success(.value(shaped, details))
    case .success(let other?): return .success(other)
    }
  }

  private func refusal(
    of value: Value, _ rule: AsyncRule<Value>, limit: Duration
  ) async -> Admitted? {
    let clock = store.configuration.clock
    let checking = Task { await rule.check(value) }
    var result = await Deadline.run(limit, clock: clock) { await checking.value }
    checking.cancel()
    if case .failure(let failure) = result, failure.code != .cancelled {
      // In real time, whatever clock the store has: nothing is waited for but the end of a task.
      result = await Deadline.run(Self.patience, clock: .system) { await checking.value }
    }
    return switch result {
    case .success(let report): report.isValid ? nil : .failure(.refused(report))
    case .failure(let failure): failure.code == .cancelled ? .failure(failure) : nil
    }
  }

  /// How long a rule may take to answer once it is cancelled.
  private static var patience: Duration { .seconds(1) }
}
