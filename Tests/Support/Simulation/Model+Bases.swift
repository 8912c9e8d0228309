import FreshStore
import Strategies

/// Local writes that say what they were made from: a conflict with what the source is known to hold is
/// ended before anything is sent.
extension Model {
  /// True when a key shows the value with which a form was opened.
  func isPresent(_ form: Int, _ key: String) -> Bool {
    records[key].map { $0.kind == .value && $0.value == form } ?? false
  }

  /// True when some write states another basis than the known state of its source.
  var hasBasis: Bool { entries.values.contains { $0.contains { $0.basis != nil } } }

  /// The version on which the source is told that a write is based.
  func base(of entry: ModelEntry, _ key: String) -> Int? {
    let shadow = shadows[key]
    if let basis = entry.basis, flaw != .ignoresBases, !isHeld(basis, shadow) {
      return basis.value
    }
    return shadow?.kind == .value ? shadow?.value : nil
  }

  /// True when a write states a base that the source is not known to hold.
  func isBaseUnseen(of entry: ModelEntry, _ key: String) -> Bool {
    guard let basis = entry.basis, flaw != .ignoresBases else { return false }
    return !isHeld(basis, shadows[key])
  }

  /// True when the source is known to hold the basis of a write, or what it has made of that: no setting merges.
  private func isHeld(_ basis: ModelEntry.Basis, _ shadow: ModelRecord?) -> Bool {
    switch shadow?.kind {
    case .value:
      basis.value == shadow?.value || basis.value != nil && basis.value == shadow?.madeOf
    case .absent: basis.value == nil
    case .unfetched, nil: false
    }
  }

  /// The record that the source is known to hold in place of the basis of a write. It is `nil` when
  /// that is not known well enough: then the source is asked.
  func knownConflict(of entry: ModelEntry, _ key: String) -> ModelRecord? {
    guard let basis = entry.basis, flaw != .ignoresBases, let shadow = shadows[key],
      !(basis.hasMetAnother && entry.tries == 0), shadow.kind != .unfetched, !isHeld(basis, shadow)
    else { return nil }
    let age = now.wall.millisecondsSinceEpoch - shadow.lastUpdate(at: now)
    let covering = mark(
      over: key, isTagged: shadow.isTagged, standing: nil, since: shadow.epoch)
    // Where it may have changed since, two equal sides prove nothing.
    let isCurrent = shadow.mark == nil && covering == nil && shadow.isInTime(age)
    return isCurrent || entry.value != shadow.heldValue ? shadow : nil
  }

  /// Ends a conflict with what the source is known to hold.
  mutating func settle(_ push: ModelPush, upon shadow: ModelRecord) {
    let moment = now.sinceBoot + shadow.lastUpdate(at: now) - now.wall.millisecondsSinceEpoch
    let answer = ModelAnswer(
      value: shadow.heldValue, asked: shadow.epoch, moment: moment, lifetime: shadow.lifetime,
      mark: shadow.mark)
    if answer.value == push.sent.value {
      accept(push, answer)
    } else {
      resolve(push, answer)
      guard setting.conflicts != .parks else { return }
    }
    // Nothing else happens meanwhile: flights that it has outdated cannot be joined any more.
    settled.remove(push)
    processes[push.store].seats[push.key] = nil
  }

  /// The results of a synchronizer that ends known conflicts, as many as it likes, without a request.
  func endingKnownConflicts(_ store: Int) -> [Model] {
    guard hasBasis else { return [self] }
    var (open, seen): ([Model], Set<Model>) = ([self], [self])
    while let model = open.popLast() {
      for key in ScriptWriter.keys {
        guard let next = model.endingKnownConflict(key, by: store), seen.insert(next).inserted
        else { continue }
        open.append(next)
      }
    }
    return Array(seen)
  }

  /// `nil` when there is none, or when its end is seen, as something is sent.
  private func endingKnownConflict(_ key: String, by store: Int) -> Model? {
    guard !isOffline, mayTry(store), let entry = due.first(where: { $0.key == key })?.entry,
      let known = knownConflict(of: entry, key),
      setting.conflicts != .clientWins || entry.value == known.heldValue
    else { return nil }
    var model = self
    let fence = model.handOut(entry.id)
    guard model.pushObstacle(store) == nil else { return nil }
    model.send(store, key, entry.id, fence, isBySync: true, resolves: true)
    return model
  }

  /// The place in the outbox of a write that a known conflict keeps from being sent.
  var contested: Int? {
    entries.compactMap { key, list -> Int? in
      guard let head = list.first, knownConflict(of: head, key) != nil else { return nil }
      return place(of: head.id)
    }.min()
  }
}

extension ModelRecord {
  /// The value that a source is known to hold; `nil` when it holds nothing.
  fileprivate var heldValue: Int? { kind == .value ? value : nil }
}
