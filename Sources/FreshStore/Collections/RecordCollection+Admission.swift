public import Rules

extension RecordCollection {
  /// The same collection with an additional rule for values to be stored and served.
  public func admitting(_ rule: Rule<Value>) -> RecordCollection {
    var collection = self
    collection.admission.rule = admission.rule.map { .all($0, rule) } ?? rule
    return collection
  }

  /// The same collection with an additional rule that has to wait, such as a server's, for every
  /// fetched value and every `put`.
  ///
  /// The rule is checked after the other rules, and only for values that pass them. After a fetch it is checked inside
  /// the one flight: callers share its answer as they share the value. The values of a batch are checked at the same
  /// time.
  ///
  /// A rule without a verdict rejects nothing, as everywhere. A rule that has not answered within the policy's hard
  /// timeout is cancelled. Its reaction to the cancellation is its answer (`RemoteRule` defines the meaning of
  /// silence); a rule that continues anyway has no verdict. A refusal counts as a failed fetch, but neither against the
  /// origin nor against the route to it.
  ///
  /// A read cannot wait: stored values are not checked again. A flight uses the rules of the
  /// collection that began it, so all uses of one name should agree on them.
  public func admitting(awaiting rule: AsyncRule<Value>) -> RecordCollection {
    var collection = self
    collection.admission.awaited = admission.awaited.map { .all($0, rule) } ?? rule
    return collection
  }

  /// True when a rule has to be awaited.
  var awaitsRules: Bool { admission.awaited != nil }

  typealias Admitted = Result<Fetched<Value>, FetchFailure>

  /// Normalises and checks fetched values, each on its own.
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

  /// A caller's value in the form in which it may be stored. The check completes even when the caller is cancelled,
  /// because the value is then still stored.
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

  /// The value as ``admitted(_:for:)`` returns it, but without a check by awaited rules.
  func shaped(_ value: Value, for key: String) throws(StoreError) -> Value {
    let (value, refusal) = admission.shaped(value)
    if let refusal { throw error(.refused(refusal), .put, key) }
    return value
  }

  /// The part of the check that needs no wait.
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
      // The wait is in real time, not by the store's clock: it only waits for the end of a task.
      result = await Deadline.run(Self.patience, clock: .system) { await checking.value }
    }
    return switch result {
    case .success(let report): report.isValid ? nil : .failure(.refused(report))
    case .failure(let failure): failure.code == .cancelled ? .failure(failure) : nil
    }
  }

  /// The time in which a cancelled rule may still answer.
  private static var patience: Duration { .seconds(1) }
}

/// The requirements of a collection on its values.
struct Admission<Value: Sendable>: Sendable {
  /// Normalises a new value before it is checked.
  var normalise: (@Sendable (Value) -> Value)?
  /// The rule for a value to be stored, and to be served.
  var rule: Rule<Value>?
  /// The additional rule for a value to be stored; a read cannot wait for it.
  var awaited: AsyncRule<Value>?

  /// The value in the form to be stored, and the problems that can be found at once; no report without problems.
  func shaped(_ value: Value) -> (value: Value, refusal: Report?) {
    let value = normalise?(value) ?? value
    return (value, refusal(of: value))
  }

  /// The problems of a stored value; no report without problems.
  func refusal(of value: Value) -> Report? {
    guard let report = rule?.check(value), !report.isValid else { return nil }
    return report
  }
}

extension Admission {
  /// The requirements of a schema in a scenario: its steps first, then its rules.
  init(_ schema: Rules.Schema<Value>, in scenario: Scenario) {
    normalise = { schema.normalise($0, in: scenario) }
    rule = schema.rule(in: scenario)
  }
}

extension Admission<[UInt8]> {
  /// The requirements of a schema for JSON text. Text that the steps do not change keeps its bytes.
  init(_ schema: DocumentSchema, in scenario: Scenario) {
    normalise = { bytes in
      do throws(JSONSyntaxError) {
        let document = try JSONValue(parsing: bytes)
        let normalised = schema.normalise(document, in: scenario).bytes()
        return normalised == document.bytes() ? bytes : normalised
      } catch {
        // The rule reports the problem.
        return bytes
      }
    }
    rule = schema.bytesRule(in: scenario)
  }
}

extension Rule<String> {
  /// Passes if the value is the key of a record with a value in a collection, fresh or stale; the issue
  /// is `unknown`.
  ///
  /// Unlike other rules it reads more than its value: it asks the store at each check, which takes some microseconds.
  /// When the store fails there is no verdict. As a rule of another collection it rejects values that name missing
  /// records, both for storing and for serving.
  public static func existing<Record>(in collection: RecordCollection<Record>) -> Rule {
    let issue = Issue("unknown", parameters: ["place": .text(collection.name)])
    return looking(in: collection) { isThere, findings in
      isThere ? .passed : findings.fail(issue)
    }
  }

  /// Passes if no record of a collection has that key yet; the issue is `already-known`.
  ///
  /// Another writer may come between the check and the write. When the store fails there is no
  /// verdict.
  public static func unique<Record>(in collection: RecordCollection<Record>) -> Rule {
    let issue = Issue("already-known", parameters: ["place": .text(collection.name)])
    return looking(in: collection) { isThere, findings in
      isThere ? findings.fail(issue) : .passed
    }
  }

  private static func looking<Record>(
    in collection: RecordCollection<Record>,
    _ judge: @escaping @Sendable (_ isThere: Bool, inout Findings) -> Outcome
  ) -> Rule {
    Rule { key, findings in
      do throws(StoreError) {
        return judge(try collection.holds(key), &findings)
      } catch {
        return findings.leaveUndecided("\(error)")
      }
    }
  }
}

extension RecordCollection {
  /// True when a record with this key holds a value. It reports no read.
  fileprivate func holds(_ key: String) throws(StoreError) -> Bool {
    try check(key, .read)
    let record = try store.storage.record(name, key)
    return record.map { $0.kind == .value && $0.isIntact } ?? false
  }
}
