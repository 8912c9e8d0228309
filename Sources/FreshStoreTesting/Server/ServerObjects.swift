internal import FreshStore

/// The objects of a scripted server, each with a version, and what has changed since when.
struct ServerObjects<Value: Sendable>: Sendable {
  struct Object: Sendable {
    let value: Value
    let version: Int

    var tag: String { "\"\(version)\"" }
  }

  /// What a list tells of its changes.
  struct Changes: Sendable {
    var present: [ExactName: Object] = [:]
    var removed: [ExactName] = []
  }

  private struct Step: Sendable {
    let version: Int
    let key: ExactName
    let before: Value?
  }

  private(set) var all: [ExactName: Object] = [:]
  private var steps: [Step] = []
  /// Grows with every change.
  private(set) var version = 0
  /// Cursors before this version are unknown.
  private var firstCursor = 0

  /// The cursor of the present state.
  var cursor: String { "\(version)" }

  subscript(key: String) -> Object? { all[key] }

  /// True for a version from which on all changes are known.
  func knows(_ since: Int) -> Bool { (firstCursor...version).contains(since) }

  /// Stores a value; `nil` removes the object.
  mutating func set(_ value: Value?, for key: String) {
    let before = all[key]?.value
    guard value != nil || before != nil else { return }
    version += 1
    steps.append(Step(version: version, key: ExactName(key), before: before))
    all[key] = value.map { Object(value: $0, version: version) }
  }

  /// Forgets what cursors were given out so far.
  mutating func expireCursors() {
    version += 1
    firstCursor = version
    steps = []
  }

  /// The changes of a list since a cursor; `nil` when that is unknown.
  func changes(
    since cursor: String, _ isMember: (_ key: String, _ value: Value) -> Bool
  ) -> Changes? {
    guard let since = Int(cursor), knows(since) else { return nil }
    var before: [ExactName: Value?] = [:]
    for step in steps where step.version > since && !before.keys.contains(step.key) {
      before.updateValue(step.before, forKey: step.key)
    }
    var changes = Changes()
    for (key, value) in before {
      if let object = all[key], isMember(key.text, object.value) {
        changes.present[key] = object
      } else if let value, isMember(key.text, value) {
        changes.removed.append(key)
      }
    }
    changes.removed.sort()
    return changes
  }
}
