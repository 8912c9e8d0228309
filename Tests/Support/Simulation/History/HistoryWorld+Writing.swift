import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// Local writes.
extension HistoryWorld {
  func write(
    _ store: Int, _ record: Int, _ options: WriteOptions, _ isDeletion: Bool,
    basedOn form: Copy<Int>? = nil
  ) {
    let history = history
    let base = form.map { History.Base.edition(HistorySource.edition($0.value)) } ?? .unsaid
    let (number, value) = history.beginWrite(
      record, isDeletion: isDeletion, from: base, on: setting.host(of: store))
    if let value { predecessors[value] = options.after }
    run(store) { life in
      let (records, key) = (life.collections[Place.collection(record)], Place.key(record))
      let entry: OutboxEntry?
      switch (value, form?.basis) {
      case (let value?, let basis?):
        entry = try await records.write(value, for: key, basedOn: basis, options: options).entry
      case (let value?, nil): entry = try await records.write(value, for: key, options: options)
      case (nil, let basis?):
        entry = try await records.writeDeletion(of: key, basedOn: basis, options: options)
      case (nil, nil): entry = try await records.writeDeletion(of: key, options: options)
      }
      history.acknowledge(write: number, entry?.idempotencyKey)
    }
  }

  func enqueue(_ store: Int, _ record: Int, _ priority: Int, _ after: Int?) throws {
    let waiting = try lives[store].store.outbox().map(\.id)
    let before = waiting.isEmpty ? nil : after.map { waiting[$0 % waiting.count] }
    let options = WriteOptions(tags: Place.tags(record), priority: priority, after: before)
    write(store, record, options, false)
  }

  /// No write is sent before the write that it comes after, and no write from before a wipe waits.
  func judgeOutbox() throws {
    for (host, life) in firstLives.enumerated() {
      let entries = try life.store.outbox()
      history.judge(waiting: Set(entries.map(\.idempotencyKey)), on: host)
      let waiting = Set(entries.map(\.id))
      for entry in entries where entry.state == .pushing {
        guard let after = entry.after, after < entry.id, waiting.contains(after) else { continue }
        history.find("the local write \(entry.id) is pushed before \(after), after which it comes")
      }
      for push in source.waiting(.push) where setting.host(of: push.store) == host {
        guard let edition = push.edition, let before = predecessors[edition],
          waiting.contains(before)
        else { continue }
        history.find("edition \(edition) is at the source before the local write \(before)")
      }
    }
  }

  func update(_ store: Int, _ record: Int) {
    let (history, options) = (history, WriteOptions(tags: Place.tags(record)))
    let host = setting.host(of: store)
    run(store) { life in
      let (number, value) = history.beginWrite(record, isDeletion: false, on: host)
      let records = life.collections[Place.collection(record)]
      let entry = try await records.update(Place.key(record), options: options) { present in
        history.make(write: number, from: present.map(HistorySource.edition))
        present = value
      }
      history.acknowledge(write: number, entry?.idempotencyKey)
    }
  }

  func push(_ store: Int, _ count: Int) {
    let (life, source) = (lives[store], source)
    Task {
      // A failure is seen in the outbox.
      let due =
        (try? await life.store.dueWrites(limit: count, holding: HistoryLife.holding)) ?? []
      for write in due {
        Task {
          let name = write.entry.collection
          guard let record = Place.record(name, write.entry.key) else { return }
          let collection = Place.collection(record)
          _ = await life.collections[collection].push(
            [write], conflicts: HistoryLife.conflicts(source, collection, store)
          ) {
            try await source.push($0, collection, by: store)
          }
        }
      }
    }
  }

  func retry() {
    for store in firstLives.indices {
      run(store) { life in
        let parked = try life.store.outbox(state: .parked)
        try await life.store.retry(parked.map(\.id))
      }
    }
  }

  func correct(_ which: Int) throws {
    let store = which % setting.hosts
    let entries = try lives[store].store.outbox().filter { $0.kind != .delete }
    guard !entries.isEmpty else { return }
    let entry = entries[which % entries.count]
    guard let record = Place.record(entry.collection, entry.key) else { return }
    let history = history
    let (number, value) = history.beginCorrection(
      record, of: entry.idempotencyKey, on: store)
    run(store) { life in
      let records = life.collections[Place.collection(record)]
      let corrected = try await records.correct(entry, to: value)
      history.acknowledge(write: number, corrected?.idempotencyKey)
    }
  }

  func drop(_ which: Int) throws {
    let store = which % setting.hosts
    let entries = try lives[store].store.outbox()
    guard !entries.isEmpty else { return }
    let entry = entries[which % entries.count]
    guard let record = Place.record(entry.collection, entry.key) else { return }
    history.dropped(record)
    let history = history
    run(store) { life in
      // An entry keeps its number when another write replaces it before it is dropped.
      defer { history.dropped(record) }
      _ = try await life.store.drop([entry.id])
    }
  }
}
