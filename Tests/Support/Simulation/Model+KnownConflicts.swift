import FreshStore

/// Conflicts with what the source is known to hold: they end without a request.
extension Model {
  /// True when the source is known to hold another value than the one that a write was made from.
  func hasKnownConflict(_ key: String, _ entry: ModelEntry) -> Bool {
    guard let basis = entry.basis, let shadow = shadows[key], shadow.kind != .unfetched else {
      return false
    }
    let remote = shadow.kind == .value ? shadow.value : nil
    guard basis != remote else { return false }
    let age = now.wall.millisecondsSinceEpoch - shadow.lastUpdate(at: now)
    let covering = mark(
      over: key, isTagged: shadow.isTagged, standing: nil, since: shadow.epoch)
    // Equal sides prove nothing where the source may hold another value by now.
    let isCurrent = shadow.mark == nil && covering == nil && shadow.isInTime(age)
    return isCurrent || remote != entry.value
  }

  /// Ends the conflict of a write with the known value of its source.
  mutating func end(_ push: ModelPush, upon shadow: ModelRecord) {
    let remote = shadow.kind == .value ? shadow.value : nil
    let moment =
      now.sinceBoot - (now.wall.millisecondsSinceEpoch - shadow.lastUpdate(at: now))
    if remote == push.sent.value {
      settle(push, as: remote, asked: shadow.epoch, asOf: moment)
    } else {
      resolve(push, remote, asked: shadow.epoch, asOf: moment)
    }
    processes[push.store].seats[push.key] = nil
  }

  /// This model after a synchronizer has ended the conflicts that are known; `nil` when it cannot have.
  func withKnownConflictsEnded(by store: Int) -> Model? {
    let known = due.filter { hasKnownConflict($0.key, $0.entry) }
    guard !known.isEmpty, !isOffline, mayTry(store) else { return nil }
    var model = self
    for (key, entry) in known {
      let fence = model.handOut(entry.id)
      guard model.pushPause(store) == nil else { return nil }
      model.send(store, key, entry.id, fence, isBySync: true, resolves: true)
    }
    return model
  }
}
