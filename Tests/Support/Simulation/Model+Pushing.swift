import FreshStore
import Strategies

extension Model {
  /// The writes that may be sent, those with the fewest attempts first, then the oldest.
  var due: [(key: String, entry: ModelEntry)] {
    entries.compactMap { key, list -> (key: String, entry: ModelEntry)? in
      guard let head = flaw == .ignoresOrder ? list.last : list.first, !head.isParked,
        !isPausing(until: head.pausedUntil), !head.isHeld(at: now)
      else { return nil }
      return (key, head)
    }.sorted { ($0.entry.attempts, $0.entry.id) < ($1.entry.attempts, $1.entry.id) }
  }

  mutating func handOut(_ id: Int64) -> Int {
    let fence = nextNumber()
    let holder = ModelEntry.Holder(
      fence: fence, boot: now.boot, deadline: now.sinceBoot + Setting.holding.milliseconds)
    change(id) { $0.holder = holder }
    return fence
  }

  /// Writes are handed out, all at once.
  mutating func handOut(_ step: Int, _ count: Int) {
    guard handedOut[step] == nil else { return }
    handedOut[step] = due.prefix(count).map {
      HandedOut(key: $0.key, entry: $0.entry.id, fence: handOut($0.entry.id))
    }
  }

  /// A write that was handed out is sent, or given back.
  mutating func send(_ step: Int, _ place: Int, by store: Int) {
    guard let writes = handedOut[step], place < writes.count else { return }
    let next = writes[place]
    let pause = isOffline ? nil : pushPause(store)
    guard isOffline || pause != nil else {
      return send(store, next.key, next.entry, next.fence, isBySync: false, resolves: true)
    }
    let end = pause.map { now.wall.millisecondsSinceEpoch + $0 }
    change(next.entry) { entry in
      if entry.holder?.fence == next.fence { (entry.holder, entry.pausedUntil) = (nil, end) }
    }
  }

  /// An entry that was dropped since it was handed out may have arrived.
  mutating func noteDropped(_ id: Int64, of key: String, by store: Int) {
    guard entries[key]?.contains(where: { $0.id == id }) != true, mark(key) else { return }
    processes[store].seats[key] = nil
  }

  /// The synchronizer sends a write; `nil` when it must not.
  func sending(_ question: SimulatedSource.PushQuestion) -> Model? {
    var model = self
    guard !isOffline, mayTry(question.store),
      let (key, entry) = due.first(where: { $0.key == question.key })
    else { return nil }
    let fence = model.handOut(entry.id)
    guard model.pushPause(question.store) == nil else { return nil }
    model.send(question.store, key, entry.id, fence, isBySync: true, resolves: true)
    return model
  }

  mutating func send(
    _ store: Int, _ key: String, _ id: Int64, _ fence: Int, isBySync: Bool, resolves: Bool
  ) {
    guard let sent = entries[key]?.first(where: { $0.id == id }), sent.holder?.fence == fence
    else { return }
    let held = setting.hardTimeout + Setting.lease
    let (boot, wall) = (now.boot, now.wall.millisecondsSinceEpoch)
    let deadline = now.sinceBoot + held.milliseconds
    change(id) { entry in
      entry.attempts += 1
      entry.asked = entry.asked ?? fence
      entry.askedAt = entry.askedAt ?? wall
      let own = entry.holder?.boot == boot ? entry.holder?.deadline ?? 0 : 0
      entry.holder = .init(fence: fence, boot: boot, deadline: max(own, deadline))
    }
    let push = ModelPush(
      store: store, key: key, entry: id, fence: fence, sent: sent,
      base: sent.basis ?? shadows[key].flatMap { $0.kind == .value ? $0.value : nil },
      isBySync: isBySync, resolves: resolves, began: now.sinceBoot,
      deadline: processes[store].awake + setting.hardTimeout.milliseconds)
    guard let shadow = shadows[key], hasKnownConflict(key, sent) else {
      pushes.append(push)
      return
    }
    end(push, upon: shadow)
  }

  /// The source answers a push.
  mutating func hear(_ push: ModelPush, _ reply: PushReply) {
    if reply != .failure { noteWay(push.store, .plain, isAnswered: true, began: push.began) }
  }

  /// The answer to a push is stored.
  mutating func settle(_ push: ModelPush, _ reply: PushReply) {
    guard let index = pushes.firstIndex(of: push) else { return }
    pushes.remove(at: index)
    noteOrigin(.plain, isAnswered: reply != .failure)
    let before = entries[push.key]
    defer { if entries[push.key]?.first?.id != before?.first?.id { settled.insert(push) } }
    guard let entry = entries[push.key]?.first(where: { $0.id == push.entry }) else {
      // It was dropped while it was sent, and may have arrived.
      if reply.mayHaveTaken(push.sent.value), mark(push.key) { settled.insert(push) }
      return
    }
    guard entry.holder?.fence == push.fence else { return }
    switch reply {
    case .accepted: accept(push, push.sent.value, entry)
    case .changed(let value): accept(push, value, entry)
    case .refused: change(push.entry) { ($0.holder, $0.isParked) = (nil, true) }
    case .failure:
      let end = pauseEnd(after: entry.attempts)
      change(push.entry) { ($0.holder, $0.pausedUntil) = (nil, end) }
    case .conflict(let remote) where remote == push.sent.value:
      accept(push, remote, entry)
    case .conflict where !push.resolves:
      let end = pauseEnd(after: entry.conflicts + 1)
      change(push.entry) { entry in
        entry.conflicts += 1
        (entry.holder, entry.pausedUntil) = (nil, end)
      }
    // The current value of a conflict is the source's value at the last question.
    case .conflict(let remote): resolve(push, remote, asked: push.fence, asOf: push.began)
    }
  }

  /// Flights that a settled write may have outdated cannot be joined any more.
  mutating func unseat(_ push: ModelPush) {
    if settled.remove(push) != nil { processes[push.store].seats[push.key] = nil }
  }

  /// The source holds the value of the write, or one of its own.
  private mutating func accept(_ push: ModelPush, _ value: Int?, _ entry: ModelEntry) {
    let asked = entry.asked ?? push.fence
    // The answer to a repeated write reports the source's value at that time.
    let first = asked == push.fence ? nil : entry.askedAt
    let moment =
      first.map { now.sinceBoot + $0 - now.wall.millisecondsSinceEpoch } ?? push.began
    settle(push, as: value, asked: asked, asOf: moment)
  }

  mutating func settle(
    _ push: ModelPush, as value: Int?, asked: Int, asOf moment: Int64
  ) {
    let key = push.key
    let mark = mark(of: push, asked: asked)
    entries[key]?.removeAll { $0.id == push.entry }
    guard let next = entries[key]?.first else {
      return replaceRecord(push, value, mark, asOf: moment)
    }
    replaceShadow(push, value, mark, asked: asked, asOf: moment)
    // It was made from the value as written.
    if value != push.sent.value, next.basis == nil {
      entries[key]?[0].basis = .some(push.sent.value)
    }
  }

  /// The newest mark that came after the write was first sent.
  private func mark(of push: ModelPush, asked: Int) -> ModelRecord.Mark? {
    let (shadow, record) = (shadows[push.key], records[push.key])
    return mark(
      over: push.key, isTagged: shadow?.isTagged == true || record?.isTagged == true,
      standing: shadow?.mark, since: asked)
  }

  private mutating func replaceRecord(
    _ push: ModelPush, _ value: Int?, _ mark: ModelRecord.Mark?, asOf moment: Int64
  ) {
    (entries[push.key], shadows[push.key], leases[push.key]) = (nil, nil, nil)
    records[push.key]?.isPending = false
    let epoch = nextNumber()
    store(
      push.key, value == nil ? .absent : .value, value, Setting.expiry, epoch: epoch, mark: mark,
      asOf: moment)
  }

  private mutating func replaceShadow(
    _ push: ModelPush, _ value: Int?, _ mark: ModelRecord.Mark?, asked: Int, asOf moment: Int64
  ) {
    var shadow = ModelRecord(
      kind: value == nil ? .absent : .value, value: value,
      lastUpdate: now.wall.millisecondsSinceEpoch + moment - now.sinceBoot, boot: now.boot,
      bootStamp: moment, lifetime: Setting.expiry, epoch: asked, stamp: 0)
    shadow.mark = mark
    shadow.isTagged = shadows[push.key]?.isTagged ?? false
    shadows[push.key] = shadow
  }

  /// The source holds another change.
  mutating func resolve(
    _ push: ModelPush, _ remote: Int?, asked: Int, asOf moment: Int64
  ) {
    let key = push.key
    let mark = mark(of: push, asked: asked)
    switch setting.conflicts {
    case .parks: change(push.entry) { ($0.holder, $0.isParked) = (nil, true) }
    case .serverWins:
      replaceRecord(push, remote, mark, asOf: moment)
    case .clientWins:
      let value = entries[key]?.last?.value
      replaceShadow(push, remote, mark, asked: asked, asOf: moment)
      // It takes the place of the one that met the conflict.
      settled.insert(push)
      let kind: OutboxEntry.Kind = value == nil ? .delete : remote == nil ? .create : .replace
      let fence = nextNumber()
      var entry = ModelEntry(id: push.entry, kind: kind, value: value)
      entry.conflicts = (entries[key]?.first?.conflicts ?? 0) + 1
      entry.holder = .init(
        fence: fence, boot: now.boot,
        deadline: now.sinceBoot + (setting.hardTimeout + Setting.lease).milliseconds)
      entries[key] = [entry]
      show(key, value, Setting.expiry, epoch: push.fence)
      send(push.store, key, entry.id, fence, isBySync: push.isBySync, resolves: false)
    }
  }
}
