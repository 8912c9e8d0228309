internal import Synchronization

/// A model that is validated while it is filled in.
///
/// Each assignment validates the field that is set, and more where the ``FormScope`` says so; synchronous rules
/// have answered when it returns. Asynchronous rules are asked after a pause in the assignments. Only the answer to
/// the latest value counts, and a superseded question is cancelled.
///
/// ```swift
/// let form = Form(
///   Registration(),
///   fields: [
///     FormField(\.name, "name", .notBlank, asking: nameIsFree.async),
///     FormField(\.password, "password", .length(min: 8), dependants: ["repeated"]),
///     FormField(\.repeated, "repeated"),
///   ],
///   rule: .fields(\.repeated, "repeated", .equal, \.password, "password"),
///   debounce: .milliseconds(300))
/// form.name = "Ada"
/// for await state in form.states { show(state) }
/// ```
///
/// Safe to use from any task. Setting a value that is equal to the old one validates it again.
@dynamicMemberLookup
public final class Form<Model: Sendable>: Sendable {
  struct Storage {
    var model: Model
    var state: FormState
    var quietFields: Set<String> = []
    /// The latest revision of each field: an answer with another number is out of date.
    var revisions: [Int]
    /// The latest revision of the whole.
    var wholeRevision = 0
    var tasks: [Task<Void, Never>?]
    var lastRevision = 0
    var lastObserver = 0
  }

  let fields: [FormField<Model>]
  let rule: Rule<Model>
  let scope: FormScope
  let debounce: Duration
  let clock: any Clock<Duration>
  let storage: Mutex<Storage>
  /// Apart from the storage, to avoid a deadlock. Cancelling a task holds the task's lock, which a yield takes too,
  /// and the end of its stream takes this lock.
  let observers = Mutex<[Int: AsyncStream<FormState>.Continuation]>([:])

  /// Creates a form; nothing is validated yet.
  ///
  /// - Parameters:
  ///   - fields: The fields, in the order in which their issues are reported.
  ///   - rule: A rule of the whole; an issue whose path begins with a field's name is that field's.
  ///   - scope: The fields that an assignment validates.
  ///   - debounce: The pause after the last assignment before an asynchronous rule is asked.
  ///   - clock: The clock that measures that pause.
  public init(
    _ model: Model, fields: [FormField<Model>], rule: Rule<Model> = .pass,
    scope: FormScope = .dependants, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.fields = fields
    self.rule = rule
    self.scope = scope
    self.debounce = debounce
    self.clock = clock
    storage = Mutex(
      Storage(
        model: model, state: FormState(fields: fields.map { FormFieldState(name: $0.name) }),
        revisions: fields.map { _ in 0 }, tasks: fields.map { _ in nil }))
  }

  deinit {
    for task in storage.withLock(\.tasks) { task?.cancel() }
    for observer in observers.withLock({ Array($0.values) }) { observer.finish() }
  }

  /// The model as it is filled in, valid or not.
  public var model: Model { storage.withLock { $0.model } }

  /// The present state.
  public var state: FormState { storage.withLock { $0.state } }

  /// The present state, and then each change. A slow reader misses superseded states, but never the latest.
  public var states: AsyncStream<FormState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FormState.self, bufferingPolicy: .bufferingNewest(1))
    let number = storage.withLock { storage in
      storage.lastObserver += 1
      observers.withLock { $0[storage.lastObserver] = continuation }
      continuation.yield(storage.state)
      return storage.lastObserver
    }
    continuation.onTermination = { [weak self] _ in
      self?.observers.withLock { _ = $0.removeValue(forKey: number) }
    }
    return stream
  }

  /// The fields whose assignments validate nothing and normalise nothing; the field is ``FormPhase/idle`` after an
  /// assignment.
  public var quietFields: Set<String> {
    get { storage.withLock { $0.quietFields } }
    set { storage.withLock { $0.quietFields = newValue } }
  }

  /// A field of the model. Setting an undeclared field validates all fields.
  public subscript<Value: Sendable>(dynamicMember keyPath: WritableKeyPath<Model, Value>) -> Value {
    get { model[keyPath: keyPath] }
    set { set(keyPath, to: newValue) }
  }

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

  /// Adds an issue found elsewhere, such as by the server that received the form. It belongs to the field that its
  /// path begins with, until that field is validated again; without such a field it belongs to the whole.
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

/// The fields validated when a field of a form is set.
public enum FormScope: String, Sendable, Hashable, CaseIterable {
  /// That field.
  case field
  /// That field, its dependants, and their dependants.
  case dependants
  /// All fields.
  case all
}
