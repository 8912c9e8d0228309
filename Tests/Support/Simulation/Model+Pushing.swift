import FreshStore
import Strategies

extension Model {
  /// The writes that may be sent, those of the highest priority first, then those that are due for longest.
  var due: [(key: String, entry: ModelEntry)] {
    entries.compactMap { key, list -> (key: String, entry: ModelEntry)? in
      guard let head = flaw == .ignoresOrder ? list.last : list.first, !head.isParked,
        !isPausing(until: head.pausedUntil), !head.isHeld(at: now), !waits(head)
      else { return nil }
      return (key, head)
    }.sorted { place($0.entry) < place($1.entry) }
  }

  private func place(_ entry: ModelEntry) -> (Int, Int64, Int64) {
    (flaw == .ignoresPriorities ? 0 : -entry.priority, entry.dueAt, entry.id)
  }

  /// The end of a pause after so many failures, or conflicts, in a row: a short one at the least.
  private func pushPauseEnd(after count: Int) -> Int64 {
    let least: Int64 = min(100 << Int64(min(count - 1, 4)), 1000)
    return max(pauseEnd(after: count), now.wall.millisecondsSinceEpoch + least)
  }

  /// True while an entry before this one is neither accepted nor dropped.
  private func waits(_ entry: ModelEntry) -> Bool {
    guard let after = entry.after, after < entry.id, flaw != .ignoresPredecessors else {
      return false
    }
    return entries.values.contains { list in list.contains { $0.id == after } }
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
    guard let obstacle = pushObstacle(store) else {
      return send(store, next.key, next.entry, next.fence, isBySync: false, resolves: true)
    }
    let end = obstacle.pause.map { now.wall.millisecondsSinceEpoch + $0 }
    change(next.entry) { entry in
      guard entry.holder?.fence == next.fence else { return }
      (entry.holder, entry.pausedUntil) = (nil, end)
      entry.dueAt = end ?? entry.dueAt
    }
  }

  /// The entry that a push has sent; `nil` when it was dropped since, or has other content by now.
  private func sent(by push: ModelPush) -> ModelEntry? {
    entries[push.key]?.first { $0.id == push.entry && $0.revision == push.sent.revision }
  }

  /// An entry that was dropped since it was handed out may have arrived.
  mutating func noteDropped(_ push: ModelPush) {
    guard push.fence > wiped, sent(by: push) == nil, mark(push.key) else { return }
    processes[push.store].seats[push.key] = nil
  }

  /// The synchronizer sends a write; `nil` when it must not.
  func sending(_ question: SimulatedSource.PushQuestion) -> Model? {
    var model = self
    guard !isOffline, mayTry(question.store),
      let (key, entry) = due.first(where: { $0.key == question.key })
    else { return nil }
    let fence = model.handOut(entry.id)
    guard model.pushObstacle(question.store) == nil else { return nil }
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
    let known = knownConflict(of: sent, key)
    change(id) { entry in
      entry.dueAt = max(entry.dueAt, wall)
      // Where nothing is sent, there is no attempt.
      if known == nil {
        entry.attempts += 1
        entry.asked = entry.asked ?? fence
        entry.askedAt = entry.askedAt ?? wall
        entry.tries += 1
      }
      let own = entry.holder?.boot == boot ? entry.holder?.deadline ?? 0 : 0
      entry.holder = .init(fence: fence, boot: boot, deadline: max(own, deadline))
    }
    let push = ModelPush(
      store: store, key: key, entry: id, fence: fence, sent: sent, base: base(of: sent, key),
      isBaseUnseen: isBaseUnseen(of: sent, key),
      isBySync: isBySync, resolves: resolves, began: now.sinceBoot,
      deadline: processes[store].awake + setting.hardTimeout.milliseconds)
    if let known {
      settle(push, upon: known)
    } else {
      pushes.append(push)
    }
  }

  /// The source answers a push.
  mutating func hear(_ push: ModelPush, _ reply: PushReply) {
    if reply != .failure { noteWay(push.store, .plain, isAnswered: true, began: push.began) }
  }

  /// The answer to a push is stored.
  mutating func settle(_ push: ModelPush, _ reply: PushReply) {
    guard let index = pushes.firstIndex(of: push) else { return }
    pushes.remove(at: index)
    guard push.fence > wiped else { return }
    noteOrigin(.plain, isAnswered: reply != .failure)
    let before = entries[push.key]
    defer { if entries[push.key]?.first?.id != before?.first?.id { settled.insert(push) } }
    guard let entry = sent(by: push) else {
      // It was dropped or corrected while it was sent, and may have arrived.
      if reply.mayHaveTaken(push.sent.value), mark(push.key) { settled.insert(push) }
      return
    }
    guard entry.holder?.fence == push.fence else { return }
    switch reply {
    case .accepted: accept(push, push.sent.value, entry)
    case .changed(let value): accept(push, value, entry)
    case .refused: change(push.entry) { ($0.holder, $0.isParked) = (nil, true) }
    case .failure:
      let end = pushPauseEnd(after: entry.attempts)
      change(push.entry) { entry in
        entry.holder = nil
        entry.pause(until: end)
      }
    case .conflict(let remote) where remote == push.sent.value:
      accept(push, remote, entry)
    case .conflict(let remote) where push.isBaseUnseen && remote == push.base:
      // It was only not known to hold that; the attempt is none.
      var answer = ModelAnswer(value: remote, asked: push.fence, moment: push.began)
      answer.madeOf = shadows[push.key]?.madeOf(ifStill: remote)
      replaceShadow(push, answer, mark(of: push, asked: answer.asked))
      change(push.entry) { entry in
        (entry.attempts, entry.tries) = (max(0, entry.attempts - 1), max(0, entry.tries - 1))
      }
      sendAgain(push, push.fence, resolves: push.resolves)
    case .conflict where !push.resolves:
      let end = pushPauseEnd(after: entry.conflicts + 1)
      change(push.entry) { entry in
        entry.conflicts += 1
        entry.holder = nil
        entry.pause(until: end)
      }
    case .conflict(let remote):
      // The current value of a conflict is the source's value at the last question.
      resolve(push, ModelAnswer(value: remote, asked: push.fence, moment: push.began))
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
    var answer = ModelAnswer(value: value, asked: asked, moment: moment)
    if value != push.sent.value { answer.madeOf = push.sent.value }
    accept(push, answer)
  }

  /// The source is known to hold the value of the write.
  mutating func accept(_ push: ModelPush, _ answer: ModelAnswer) {
    let key = push.key
    let mark = mark(of: push, asked: answer.asked) ?? answer.mark
    entries[key]?.removeAll { $0.id == push.entry }
    if entries[key]?.isEmpty ?? true {
      replaceRecord(push, answer, mark)
    } else {
      replaceShadow(push, answer, mark)
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
    _ push: ModelPush, _ answer: ModelAnswer, _ mark: ModelRecord.Mark?
  ) {
    (entries[push.key], shadows[push.key], leases[push.key]) = (nil, nil, nil)
    records[push.key]?.isPending = false
    let epoch = nextNumber()
    store(
      push.key, answer.kind, answer.value, answer.lifetime, epoch: epoch, mark: mark,
      asOf: answer.moment)
    records[push.key]?.madeOf = answer.madeOf
  }

  private mutating func replaceShadow(
    _ push: ModelPush, _ answer: ModelAnswer, _ mark: ModelRecord.Mark?
  ) {
    var shadow = ModelRecord(
      kind: answer.kind, value: answer.value,
      lastUpdate: now.wall.millisecondsSinceEpoch + answer.moment - now.sinceBoot, boot: now.boot,
      bootStamp: answer.moment, lifetime: answer.lifetime, epoch: answer.asked, stamp: 0)
    (shadow.mark, shadow.madeOf) = (mark, answer.madeOf)
    shadow.isTagged = shadows[push.key]?.isTagged ?? false
    shadows[push.key] = shadow
  }

  /// The source holds another change.
  mutating func resolve(_ push: ModelPush, _ answer: ModelAnswer) {
    var answer = answer
    answer.madeOf = shadows[push.key]?.madeOf(ifStill: answer.value)
    let mark = mark(of: push, asked: answer.asked) ?? answer.mark
    switch setting.conflicts {
    case .parks:
      let shadow = shadows[push.key]
      change(push.entry) { entry in
        (entry.holder, entry.isParked) = (nil, true)
        entry.basis = entry.basis ?? .init(value: shadow?.kind == .value ? shadow?.value : nil)
        entry.basis?.hasMetAnother = true
      }
      replaceShadow(push, answer, mark)
    case .serverWins: discard(push, for: answer, mark)
    case .clientWins:
      replaceShadow(push, answer, mark)
      // It takes the place of the one that met the conflict.
      settled.insert(push)
      let fence = nextNumber()
      merge(push, over: answer.value, fence)
      sendAgain(push, fence, resolves: false)
    }
  }

  /// Sends what has been sent once more, unless what has come since is in the way.
  private mutating func sendAgain(_ push: ModelPush, _ fence: Int, resolves: Bool) {
    guard !isOffline, !isHeld(.plain) else {
      return change(push.entry) { ($0.holder, $0.pausedUntil) = (nil, nil) }
    }
    send(push.store, push.key, push.entry, fence, isBySync: push.isBySync, resolves: resolves)
  }

  /// The first write of a key, and those that were made from it; then the others.
  private func parted(_ key: String) -> (met: [ModelEntry], later: [ModelEntry]) {
    let waiting = entries[key] ?? []
    let met = waiting.prefix(1) + waiting.dropFirst().prefix { $0.basis == nil && $0.after == nil }
    return (Array(met), Array(waiting.dropFirst(met.count)))
  }

  /// The source's version ends the first write of its key and those that were made from it.
  private mutating func discard(
    _ push: ModelPush, for answer: ModelAnswer, _ mark: ModelRecord.Mark?
  ) {
    let (met, others) = parted(push.key)
    var later = others
    guard !later.isEmpty else { return replaceRecord(push, answer, mark) }
    replaceShadow(push, answer, mark)
    later[0].basis = later[0].basis ?? .init(value: met.last?.value)
    entries[push.key] = later
  }

  /// One write takes the place of the first one of its key and of those that were made from it.
  private mutating func merge(_ push: ModelPush, over remote: Int?, _ fence: Int) {
    let key = push.key
    let waiting = entries[key] ?? []
    let (merged, others) = parted(key)
    var later = others
    let value = merged.last?.value
    let kind: OutboxEntry.Kind = value == nil ? .delete : remote == nil ? .create : .replace
    var entry = ModelEntry(
      id: push.entry, kind: kind, value: value,
      dueAt: waiting.first?.dueAt ?? now.wall.millisecondsSinceEpoch)
    entry.conflicts = (waiting.first?.conflicts ?? 0) + 1
    entry.revision = (waiting.first?.revision ?? 0) + 1
    (entry.priority, entry.after) = (waiting.first?.priority ?? 0, waiting.first?.after)
    entry.holder = .init(
      fence: fence, boot: now.boot,
      deadline: now.sinceBoot + (setting.hardTimeout + Setting.lease).milliseconds)
    // The next one was made from what the merge has replaced, and is still what is shown.
    if !later.isEmpty { later[0].basis = later[0].basis ?? .init(value: value) }
    let gone = Set(merged.map(\.id))
    entry.merged = merged.reduce(gone) { $0.union($1.merged) }.subtracting([entry.id])
    entries[key] = [entry] + later
    if later.isEmpty { show(key, value, Setting.expiry, epoch: push.fence) }
    // A write that came after a merged one comes after the write that holds it now.
    for follower in entries.values.joined() {
      guard let after = follower.after, gone.contains(after) else { continue }
      change(follower.id) { $0.after = push.entry }
    }
  }
}
