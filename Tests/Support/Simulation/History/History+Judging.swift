import FreshStore
import Synchronization

/// The judgement of observations.
extension History {
  /// The knowledge about a record when somebody starts to look.
  func ground(_ record: Int, on host: Int) -> Ground {
    state.withLock { state in
      let known = state.hosts[host]
      return Ground(
        floor: known.floors[record], youngest: known.youngest[record], time: time,
        wiped: known.wiped.begun, host: host)
    }
  }

  /// A copy is called fresh.
  func judge(fresh value: Int, of record: Int, isLocal: Bool, _ ground: Ground, by who: String) {
    judge(value, of: record, isLocal: isLocal, ground, by: who)
    guard !isLocal, let edition = known(value) else { return }
    let name = "edition \(value) of \(Place.words(record))"
    // A value that no question has brought is a local write, whatever else was read before.
    let isYoungest =
      edition.lastAsked < 0 || edition.lastAsked >= ground.youngest
      || isAboutAsYoung(edition, as: ground.youngest)
    // A first import has nothing younger beside it.
    if !isYoungest, edition.forgivenAt == nil {
      find("\(who) calls \(name) fresh, after what answers a younger question")
    }
    if let lifetime = Place.lifetime(value), !edition.hasNoAge, let replaced = edition.replacedAt,
      replaced <= ground.time - lifetime
    {
      find("\(who) calls \(name) fresh, which was replaced longer ago than it may live")
    }
    if !edition.isImported, let until = edition.until, until <= ground.doubted {
      find(
        "\(who) calls \(name) fresh, replaced before a mark that its host knows to have missed")
    }
    state.withLock { state in
      guard edition.firstAsked != .max else { return }
      let youngest = state.hosts[ground.host].youngest[record]
      state.hosts[ground.host].youngest[record] = max(youngest, edition.firstAsked)
    }
  }

  /// Hosts compare what they have by its age, and the way between them takes up to a second.
  private func isAboutAsYoung(_ edition: Edition, as youngest: Int) -> Bool {
    state.withLock { state in
      state.hosts.count > 1
        && state.time(of: edition.lastAsked) >= state.time(of: youngest) - 1000
    }
  }

  /// A value is handed out as the source's.
  func judge(_ value: Int, of record: Int, isLocal: Bool, _ ground: Ground, by who: String) {
    guard let edition = known(value) else {
      return find("\(who) has a value from nowhere: \(value)")
    }
    guard edition.record == record else {
      return find(
        "\(who) is handed edition \(value) of \(Place.words(edition.record)) for "
          + Place.words(record))
    }
    let isForgiven = edition.forgivenAt.map { ground.floor < $0 } ?? false
    if !isLocal, !isForgiven, let until = edition.until, until <= ground.floor {
      find(
        "\(who) is handed edition \(value) of \(Place.words(record)), replaced before a mark that "
          + "was acknowledged before")
    }
  }

  private func known(_ value: Int) -> Edition? {
    state.withLock { state in
      state.editions.indices.contains(value) ? state.editions[value] : nil
    }
  }

  /// The copy that a question to the source is about.
  func judge(
    copy value: Int?, _ validators: Validators, of record: Int, on host: Int, by who: String
  ) {
    guard let value else { return }
    judge(value, of: record, isLocal: true, ground(record, on: host), by: who)
    if let tag = validators.entityTag, tag != Place.tag(value) {
      find("\(who) asks about edition \(value) of \(Place.words(record)) with the tag \(tag)")
    }
  }

  // MARK: Local writes

  func beginWrite(
    _ record: Int, isDeletion: Bool, from base: Base = .unsaid, on host: Int
  ) -> (number: Int, value: Int?) {
    state.withLock { state in
      let edition = isDeletion ? nil : state.newEdition(of: record)
      var write = Write(record: record, host: host, edition: edition, begun: state.next())
      write.base = base
      if let edition { state.editions[edition].arriving += 1 }
      state.writes.append(write)
      return (state.writes.count - 1, edition)
    }
  }

  /// The content of a write is replaced, as its last known content was named.
  func beginCorrection(
    _ record: Int, of idempotencyKey: String, on host: Int
  ) -> (number: Int, value: Int) {
    state.withLock { state in
      let edition = state.newEdition(of: record)
      let former = state.writes.lastIndex { $0.idempotencyKey == idempotencyKey }
      var write = Write(
        record: record, host: host, edition: edition,
        begun: former.map { state.writes[$0].begun } ?? 0)
      write.base = former.map { state.writes[$0].base } ?? .unsaid
      (write.isCorrection, write.corrects) = (true, former)
      state.editions[edition].arriving += 1
      state.writes.append(write)
      return (state.writes.count - 1, edition)
    }
  }

  /// A write is being made from an edition, or from nothing.
  func make(write number: Int, from edition: Int?) {
    state.withLock { $0.writes[number].base = Base(edition) }
  }

  /// Somebody is asked to decide between two sides.
  func see(_ record: Int, local: Int?, remote: Int?) {
    state.withLock { state in
      state.seen.insert(Seen(record: record, local: local, remote: remote))
      state.resolving.insert(record)
    }
  }

  func acknowledge(write number: Int, _ idempotencyKey: String?) {
    state.withLock { state in
      // A correction is where the write was.
      if let edition = state.writes[number].edition {
        state.editions[edition].arriving -= 1
        state.editions[edition].arrivedAt = state.next()
      }
      let former = state.writes[number].corrects.flatMap { state.writes[$0].ended }
      state.writes[number].ended = former ?? state.next()
      state.writes[number].idempotencyKey = idempotencyKey
    }
  }

  /// Somebody drops a local write of a record on request; it is unknown which one.
  func dropped(_ record: Int) {
    state.withLock { state in
      for index in state.writes.indices where state.writes[index].record == record {
        state.writes[index].isDropped = true
      }
    }
  }

  func decide(_ record: Int, local: Int?, _ outcome: Outcome) {
    state.withLock { state in
      state.decided.append(
        Decided(record: record, local: local, outcome: outcome, at: state.next()))
    }
  }

  /// A decision makes a value.
  func newEdition(of record: Int) -> Int {
    state.withLock { state in
      let edition = state.newEdition(of: record)
      state.editions[edition].arrivedAt = state.next()
      return edition
    }
  }

  /// An acknowledged write has reached the source, or a later decision has replaced it.
  func judgeWrites(besides waiting: Set<Int>) {
    let state = state.withLock { $0 }
    for (index, write) in state.writes.enumerated() where !waiting.contains(write.record) {
      guard write.isAcknowledged, !write.isDropped else { continue }
      var seen: Set<Int> = []
      guard !state.survives(write: index, &seen) else { continue }
      let words = write.edition.map { "edition \($0)" } ?? "the deletion"
      find("\(words) of \(Place.words(write.record)) was written, acknowledged and lost")
    }
  }
}

extension History.Write {
  fileprivate var isAcknowledged: Bool { ended != nil && idempotencyKey != nil }
}

extension History.State {
  /// True when a local write that replaces a value at the source was made from that, as far as its caller has
  /// said from what, or when somebody has decided between the two.
  func isFounded(_ edition: Int?, _ idempotencyKey: String?, on held: Int?, _ record: Int) -> Bool {
    if seen.contains(.init(record: record, local: edition, remote: held)) { return true }
    let write = writes.last { write in
      if let edition { return write.edition == edition }
      return write.idempotencyKey != nil && write.idempotencyKey == idempotencyKey
    }
    // Its former content may have been merged meanwhile, with others.
    if write?.isCorrection == true,
      seen.contains(where: { $0.record == record && $0.remote == held })
    {
      return true
    }
    switch write?.base {
    case nil, .unsaid: return true
    case .nothing:
      // A deletion that it came after may have been dropped.
      return held == nil || writes.contains { $0.record == record && $0.edition == nil }
    case .edition(let base):
      if base == held || isCorrection(held, of: base) { return true }
      // Another local write that never arrived: then what that was made from counts.
      guard editions[base].since == nil else { return false }
      return isFounded(base, nil, on: held, record)
    }
  }

  /// True when an edition has taken the place of another one that had not been sent.
  private func isCorrection(_ edition: Int?, of former: Int) -> Bool {
    var write = writes.last { $0.edition == edition && $0.isCorrection }
    while let corrects = write?.corrects {
      if writes[corrects].edition == former { return true }
      write = writes[corrects]
    }
    return false
  }

  /// True when a write is at the source, or in its replacement.
  fileprivate func survives(write index: Int, _ seen: inout Set<Int>) -> Bool {
    guard seen.insert(index).inserted else { return false }
    let write = writes[index]
    if let key = write.idempotencyKey, applied[key] != nil { return true }
    if let edition = write.edition, editions[edition].since != nil { return true }
    // It cancelled out with a creation that was never sent.
    if write.edition == nil, write.ended != nil, write.idempotencyKey == nil { return true }
    // A record that is already gone need not be deleted.
    if write.edition == nil, wasGone(write.record, since: write.begun) { return true }
    for decision in decided where decision.record == write.record {
      guard decision.at > write.begun else { continue }
      // Where the source has won, the writes that a merge would have left behind are gone, too.
      if write.base.isSaid, case .remote = decision.outcome { return true }
      guard decision.local == write.edition else { continue }
      guard case .merged(let merged) = decision.outcome else { return true }
      if editions[merged].since != nil { return true }
      if survives(edition: merged, since: decision.at, &seen) { return true }
    }
    return isFollowed(write.record, since: write.begun, &seen)
  }

  private func wasGone(_ record: Int, since event: Int) -> Bool {
    edition(of: record, at: event) == nil
      || held[record].contains { $0.event > event && $0.edition == nil }
  }

  /// The same for the merge of a conflict.
  private func survives(edition: Int, since event: Int, _ seen: inout Set<Int>) -> Bool {
    let record = editions[edition].record
    for decision in decided where decision.local == edition && decision.record == record {
      guard case .merged(let merged) = decision.outcome else { return true }
      guard merged != edition else { continue }
      if editions[merged].since != nil { return true }
      if survives(edition: merged, since: decision.at, &seen) { return true }
    }
    return isFollowed(record, since: event, &seen)
  }

  /// True when another write of the record has survived that was acknowledged after an event: it may
  /// have replaced the write before it.
  private func isFollowed(_ record: Int, since event: Int, _ seen: inout Set<Int>) -> Bool {
    for (index, write) in writes.enumerated() where write.record == record {
      guard let ended = write.ended, ended > event else { continue }
      if write.isDropped || survives(write: index, &seen) { return true }
    }
    return false
  }
}
