public import Rules

extension Rule<String> {
  /// Passes if the value is the key of a record with a value in a collection, fresh or stale; the issue
  /// is `unknown`.
  ///
  /// Unlike other rules it reads more than its value: it asks the store at each check, some microseconds.
  /// When the store fails there is no verdict. As a rule of another collection it rejects values that
  /// name missing records, both for storing and for serving.
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
  /// Whether a record with this key holds a value; reports no read.
  fileprivate func holds(_ key: String) throws(StoreError) -> Bool {
    try check(key, .read)
    let record = try store.storage.record(name, key)
    return record.map { $0.kind == .value && $0.isIntact } ?? false
  }
}
