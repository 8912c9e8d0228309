internal import Synchronization

extension Form {
  /// Sets a field and validates; see ``subscript(dynamicMember:)``.
  public func set<Value: Sendable>(_ keyPath: WritableKeyPath<Model, Value>, to value: Value) {
    let index = fields.firstIndex { $0.keyPath as AnyKeyPath == keyPath }
    let question = storage.withLock { storage -> Question in
      storage.model[keyPath: keyPath] = value
      guard let index else {
        return begin(Array(fields.indices), isWhole: true, after: debounce, &storage)
      }
      if storage.quietFields.contains(fields[index].name) {
        let question = begin([index], after: debounce, &storage)
        storage.state.fields[index] = FormFieldState(name: fields[index].name)
        publish(storage)
        return question.ofNothing
      }
      fields[index].normalize?(&storage.model)
      return begin(affected(by: index), isWhole: scope == .all, after: debounce, &storage)
    }
    answer(question)
  }

  /// Sets a field to each of the values of a sequence, such as a text field's changes, until it
  /// ends or the task is cancelled.
  public func set<Value: Sendable>(
    _ keyPath: WritableKeyPath<Model, Value>, to values: some AsyncSequence<Value, Never>
  ) async {
    for await value in values { set(keyPath, to: value) }
  }

  /// Starts over with another model; nothing is validated.
  public func reset(to model: Model) {
    let question = storage.withLock { storage in
      storage.model = model
      let question = begin(Array(fields.indices), isWhole: true, after: .zero, &storage)
      storage.state = FormState(fields: fields.map { FormFieldState(name: $0.name) })
      publish(storage)
      return question.ofNothing
    }
    answer(question)
  }

  /// Validates all fields, quiet ones too; asynchronous rules are asked without delay.
  ///
  /// - Returns: The state known at once; see ``settled()``.
  @discardableResult public func validate() -> FormState {
    let question = storage.withLock {
      begin(Array(fields.indices), isWhole: true, after: .zero, &$0)
    }
    answer(question)
    return state
  }

  /// Waits until no answer is pending, or the task is cancelled.
  public func settled() async -> FormState {
    for await state in states where !state.fields.contains(where: { $0.phase == .validating }) {
      return state
    }
    return state
  }

  /// Adds an issue found elsewhere, such as by the server that received the form. It stays with the
  /// field its path begins with until that is validated again, else with the whole.
  public func add(_ issue: Issue) {
    storage.withLock { storage in
      if let index = index(of: issue.path) {
        storage.state.fields[index].add(issue)
      } else {
        storage.state.whole.merge(Report([issue]))
      }
      publish(storage)
    }
  }

  private func affected(by index: Int) -> [Int] {
    switch scope {
    case .field: return [index]
    case .all: return Array(fields.indices)
    case .dependants:
      var names: Set<String> = []
      var pending = [fields[index].name]
      while let name = pending.popLast() {
        guard names.insert(name).inserted else { continue }
        pending += fields.filter { $0.name == name }.flatMap(\.dependants)
      }
      return fields.indices.filter { names.contains(fields[$0].name) }
    }
  }
}

extension Form.Storage {
  mutating func nextRevision() -> Int {
    lastRevision += 1
    return lastRevision
  }
}
