import FreshStore
import Strategies

extension Model {
  /// The flights of matching keys cannot be joined any more.
  mutating func unseat(_ store: Int, where matches: (String) -> Bool) {
    processes[store].seats = processes[store].seats.filter { !matches($0.key) }
  }

  mutating func put(
    _ step: Int, _ key: String, _ value: Int, _ lifetime: Lifetime, _ isTagged: Bool?
  ) {
    // A put value is younger than every open question.
    let epoch = leases.isEmpty ? number : nextNumber()
    guard records[key]?.isPending != true else {
      results[step] = "pendingWrite"
      return
    }
    leases[key] = nil
    self.store(key, .value, value, lifetime, epoch: epoch, isTagged: isTagged)
    results[step] = "stored"
  }

  mutating func remove(_ step: Int, _ key: String) {
    guard records[key]?.isPending != true else {
      results[step] = "pendingWrite"
      return
    }
    // Earlier questions of others may bring a removed record back, but later gets do not ask for it.
    if !leases.isEmpty {
      invalidations[.key(key)] = Invalidation(
        number: nextNumber(), at: now.wall.millisecondsSinceEpoch)
    }
    leases[key] = nil
    results[step] = "\(records[key] != nil)"
    records[key] = nil
  }

  mutating func mark(_ step: Int, _ scope: Scope) {
    results[step] = "true"
    switch scope {
    case .key(let key): results[step] = "\(mark(key))"
    case .tag, .prefix, .collection:
      invalidations[scope] = Invalidation(
        number: nextNumber(), at: now.wall.millisecondsSinceEpoch)
    }
  }

  /// Marks one key; false when it is neither stored nor being fetched.
  mutating func mark(_ key: String) -> Bool {
    let (number, at) = (nextNumber(), now.wall.millisecondsSinceEpoch)
    let mark = ModelRecord.Mark(number: number, at: at)
    let isFetched = leases[key] != nil
    if !leases.isEmpty { invalidations[.key(key)] = Invalidation(number: number, at: at) }
    let isStored = records[key].map { $0.kind != .unfetched } ?? false
    if isStored, records[key]?.isPending == true {
      shadows[key]?.mark = mark
    } else if isStored {
      self.mark(key, mark)
    }
    return isFetched || isStored
  }

  /// Flights that a put or a removal has outdated cannot be joined any more.
  mutating func unseat(_ store: Int, after step: Int, _ key: String) {
    if results[step] != "pendingWrite" { unseat(store) { $0 == key } }
  }

  /// Flights that a mark may have outdated cannot be joined any more.
  mutating func unseat(_ store: Int, _ scope: Scope) {
    unseat(store) { key in
      switch scope {
      case .key(let own): own == key
      case .prefix(let prefix): key.hasPrefix(prefix)
      case .tag, .collection: true
      }
    }
  }

  mutating func sweep(_ step: Int, _ store: Int) {
    results[step] = "swept"
    flush(store)
    let wall = now.wall.millisecondsSinceEpoch
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      guard !record.isPending, record.kind != .unfetched, record.mark == nil,
        let lifetime = record.lifetime.milliseconds, record.lastUpdate + lifetime <= wall,
        !record.isInTime(wall - record.lastUpdate(at: now)) || covers(key, record) != nil
      else { continue }
      mark(key, .init(number: 0, at: wall))
    }
    for (scope, invalidation) in invalidations.sorted(by: { $0.value.number < $1.value.number }) {
      for (key, record) in records.sorted(by: { $0.key < $1.key })
      where record.epoch < invalidation.number && (record.mark?.number ?? 0) < invalidation.number
        && !record.isPending && record.kind != .unfetched && covers(scope, key, record)
      {
        mark(key, .init(number: invalidation.number, at: invalidation.at))
      }
      leases = leases.filter { $0.value.boot == now.boot && $0.value.deadline > now.sinceBoot }
      if !leases.values.contains(where: { $0.fence < invalidation.number }),
        !shadows.values.contains(where: { $0.epoch < invalidation.number })
      {
        invalidations[scope] = nil
      }
    }
  }

  private func covers(_ key: String, _ record: ModelRecord) -> Invalidation? {
    covering(key, isTagged: record.isTagged).flatMap { $0.number > record.epoch ? $0 : nil }
  }

  private func covers(_ scope: Scope, _ key: String, _ record: ModelRecord) -> Bool {
    switch scope {
    case .collection: true
    case .tag: record.isTagged
    case .prefix(let prefix): key.hasPrefix(prefix)
    case .key: false
    }
  }

  /// Removes everything but the holds. Requests in flight will find nothing of their own.
  mutating func wipe(_ step: Int, _ store: Int) {
    results[step] = "wiped"
    let number = nextNumber()
    guard flaw != .ignoresWipes else { return }
    wiped = number
    (records, shadows, entries) = ([:], [:], [:])
    (invalidations, leases, breakers) = ([:], [:], [:])
    (processes[store].seats, processes[store].routes) = ([:], [:])
    processes[store].verdicts = [:]
    (processes[store].awaitsVerdicts, processes[store].awaitsWants) = (false, false)
  }

  // MARK: Local writes

  mutating func write(
    _ step: Int, _ key: String, _ kind: OutboxEntry.Kind, _ value: Int, _ options: WriteOptions,
    basedOn form: Int? = nil
  ) {
    let value = kind == .delete ? nil : value
    let basis = form.flatMap { isPresent($0, key) ? nil : ModelEntry.Basis(value: $0) }
    if entries[key, default: []].isEmpty {
      var shadow =
        records[key]
        ?? ModelRecord(
          kind: .unfetched, value: nil, lastUpdate: 0, boot: 0, bootStamp: 0, lifetime: .unstated,
          epoch: number, stamp: 0)
      shadow.isPending = false
      shadows[key] = shadow
    }
    var entry = ModelEntry(
      id: lastEntry + 1, kind: kind, value: value, basis: basis,
      dueAt: now.wall.millisecondsSinceEpoch)
    (entry.priority, entry.after) = (options.priority, options.after.map(heir))
    if options.coalesces, let last = entries[key]?.last, entry.mayReplace(last) {
      var combined = entry.inPlace(of: last)
      switch (last.kind, kind) {
      case (.replace, .replace), (.create, .replace), (.replace, .delete):
        combined.kind = kind == .delete ? kind : last.kind
        return enter(step, key, combined, inPlaceOfLast: true)
      case (.create, .delete):
        guard mayHold(key) else {
          entries[key]?.removeLast()
          restore(key, isMarked: false)
          results[step] = "nothing"
          return
        }
        return enter(step, key, combined, inPlaceOfLast: true)
      default: break
      }
    }
    enter(step, key, entry, inPlaceOfLast: false)
  }

  /// The number of the write that has taken the place of another after a conflict; that number where none has.
  private func heir(of number: Int64) -> Int64 {
    entries.values.joined().first { $0.merged.contains(number) }?.id ?? number
  }

  private mutating func enter(
    _ step: Int, _ key: String, _ entry: ModelEntry, inPlaceOfLast: Bool
  ) {
    if inPlaceOfLast { entries[key]?.removeLast() }
    lastEntry = max(lastEntry, entry.id)
    entries[key, default: []].append(entry)
    show(key, entry.value, Setting.expiry, epoch: number)
    results[step] = "\(entry.id)"
  }

  /// One more than the value that is shown, whoever else writes meanwhile.
  mutating func increment(_ step: Int, _ key: String) {
    let present = records[key].flatMap { $0.kind == .value ? $0.value : nil }
    let value = flaw == .losesIncrements ? present ?? 1 : (present ?? 0) + 1
    write(step, key, present == nil ? .create : .replace, value, WriteOptions())
  }

  /// True when the source has the object, or will have it after all but the last write.
  private func mayHold(_ key: String) -> Bool {
    if let before = entries[key]?.dropLast().last { return before.kind != .delete }
    return shadows[key]?.kind == .value
  }

  /// Shows a local write.
  mutating func show(_ key: String, _ value: Int?, _ lifetime: Lifetime, epoch: Int) {
    store(key, value == nil ? .absent : .value, value, lifetime, epoch: epoch)
    records[key]?.isPending = true
  }

  /// Shows the record after an entry was removed: the last remaining one, or the source's value.
  private mutating func restore(_ key: String, isMarked: Bool, wasTouched: Bool = false) {
    if let last = entries[key]?.last {
      show(key, last.value, records[key]?.lifetime ?? .unstated, epoch: number)
      if wasTouched, let shadow = shadows[key], shadow.kind != .unfetched {
        let mark = ModelRecord.Mark(
          number: nextNumber(), at: now.wall.millisecondsSinceEpoch)
        shadows[key]?.mark = mark
      }
      return
    }
    entries[key] = nil
    leases[key] = nil
    records[key] = nil
    guard var shadow = shadows.removeValue(forKey: key),
      shadow.kind != .unfetched || shadow.mark != nil || shadow.failures > 0
    else { return }
    if isMarked, shadow.kind != .unfetched {
      shadow.mark = .init(number: nextNumber(), at: now.wall.millisecondsSinceEpoch)
    } else {
      let mark = mark(
        over: key, isTagged: shadow.isTagged, standing: shadow.mark, since: shadow.epoch)
      shadow.mark = mark ?? shadow.mark
    }
    shadow.stamp = nextStamp()
    records[key] = shadow
  }

  private func entryIDs() -> [Int64] { entries.values.flatMap { $0 }.map(\.id).sorted() }

  /// The entry that an operation means.
  func entry(_ which: Int) -> Int64? {
    let ids = entryIDs()
    return ids.isEmpty ? nil : ids[which % ids.count]
  }

  /// The same of an entry.
  func place(of id: Int64) -> Int? { entryIDs().firstIndex(of: id) }

  mutating func retry(_ step: Int, _ id: Int64) {
    let wall = now.wall.millisecondsSinceEpoch
    change(id) { entry in
      (entry.isParked, entry.pausedUntil, entry.conflicts, entry.tries) = (false, nil, 0, 0)
      entry.dueAt = min(entry.dueAt, wall)
    }
    results[step] = "retried"
  }

  /// The entry gets another value, and is new to its source; it keeps its number and its place.
  mutating func correct(_ step: Int, _ id: Int64, _ value: Int) {
    let found = entries.first { $0.value.contains { $0.id == id } }
    guard let key = found?.key, let entry = found?.value.first(where: { $0.id == id }) else {
      results[step] = "gone"
      return
    }
    guard entry.kind != .delete else {
      results[step] = "invalidArgument"
      return
    }
    guard !entry.isHeld(at: now) else {
      results[step] = "busy"
      return
    }
    results[step] = "corrected"
    guard flaw != .ignoresCorrections else { return }
    let wall = now.wall.millisecondsSinceEpoch
    let upon = shadows[key]
    change(id) { entry in
      (entry.value, entry.revision) = (value, entry.revision + 1)
      entry.dueAt = min(entry.dueAt, wall)
      (entry.attempts, entry.conflicts, entry.holder) = (0, 0, nil)
      // The next answer is that to a new request.
      entry.askedAt = nil
      (entry.isParked, entry.pausedUntil, entry.tries) = (false, nil, 0)
      if entry.basis?.hasMetAnother == true {
        entry.basis = nil
        entry.kind = upon?.kind == .value ? .replace : .create
      }
    }
    if entries[key]?.last?.id == id { show(key, value, Setting.expiry, epoch: number) }
  }

  mutating func drop(_ step: Int, _ id: Int64) {
    results[step] = "dropped"
    guard let key = entries.first(where: { $0.value.contains { $0.id == id } })?.key else { return }
    let isUntouched = entries[key]?.first { $0.id == id }?.isUntouched ?? true
    entries[key]?.removeAll { $0.id == id }
    restore(key, isMarked: true, wasTouched: !isUntouched)
    unseat(0) { $0 == key }
  }

  mutating func change(_ id: Int64, _ body: (inout ModelEntry) -> Void) {
    for (key, list) in entries {
      var list = list
      for index in list.indices where list[index].id == id { body(&list[index]) }
      entries[key] = list
    }
  }
}
