import FreshStore
import FreshStoreTesting
internal import FreshStoreTools
import FreshSync
import Strategies

/// Marks, puts, removals and imports.
extension HistoryWorld {
  func mark(_ store: Int, _ scope: HistoryOperation.Scope) {
    let (history, event) = (history, history.event())
    let host = setting.host(of: store)
    run(store) { life in
      switch scope {
      case .record(let record):
        let records = life.collections[Place.collection(record)]
        // A mark that covers nothing is not remembered.
        guard try await records.markStale(Place.key(record)) else { return }
      case .tag: try await life.store.markStale(tag: "tag")
      case .prefix(let collection):
        try await life.collections[collection].markStale(prefix: Place.prefix)
      case .collection(let collection): try await life.collections[collection].markAllStale()
      }
      history.marked(scope, since: event, on: host)
    }
  }

  func put(_ store: Int, _ record: Int) {
    guard let edition = history.edition(of: record) else { return }
    let event = history.event()
    // The caller decides how late it lands.
    history.brought(edition, event...Int.max)
    var details = Place.details(edition, of: record)
    details.lastUpdate = machine(of: store).reading().wall
    let (history, host) = (history, setting.host(of: store))
    history.puts(record, on: host)
    history.bring(edition)
    run(store) { [details] life in
      defer {
        history.puts(record, -1, on: host)
        history.arrived(edition)
      }
      try await life.collections[Place.collection(record)].put(
        edition, for: Place.key(record), details: details)
    }
  }

  func wipe(_ store: Int) {
    let (history, event) = (history, history.event())
    let (laws, host) = (fleet?.laws, setting.host(of: store))
    history.beginWipe(on: host)
    laws?.release(0...1, on: host)
    forms[host] = nil
    run(store) { life in
      defer {
        history.endWipe(on: host)
        laws?.release(0...1, on: host)
      }
      _ = try await life.store.wipe()
      history.wiped(since: event, on: host)
    }
  }

  func remove(
    _ store: Int, _ records: some Sequence<Int> & Sendable,
    _ body: @escaping @Sendable (HistoryLife) async throws -> Void
  ) {
    let (history, host) = (history, setting.host(of: store))
    history.forget(records, on: host)
    run(store) { life in
      do {
        try await body(life)
        history.forget(records, on: host)
      } catch {
        history.forget(records, on: host)
      }
    }
  }

  /// Imports a copy that another store exported this many changes ago.
  func take(_ store: Int, _ record: Int, _ age: Int) throws {
    let (event, edition, since) = history.earlier(record, age)
    guard let edition else { return }
    // Within one moment, and after a step of the wall clock, the order of two copies is unknown.
    history.brought(edition, -1...(hasStepped ? Int.max : event))
    // A host applies the mark of another one whether or not it has the record.
    if setting.fleet != nil || history.isGone(record, on: setting.host(of: store)) {
      history.forgive(edition)
    } else if hasSwept {
      switch try lives[store].read(record) {
      case .missing: history.forgive(edition)
      // It was imported as a first copy itself.
      case .fresh(let copy) where history.isForgiven(copy.value): history.forgive(edition)
      default: break
      }
    }
    let wall = machine(of: store).reading().wall.millisecondsSinceEpoch - (history.time - since)
    let lifetime = Place.lifetime(edition).map { "\($0)" } ?? #""never""#
    let tags = Place.isTagged(record) ? #"["tag"]"# : "[]"
    let name = Place.collections(hasTwins: setting.hasTwins)[Place.collection(record)]
    let lines = """
      {"format":"freshstore-export","version":1}
      {"collection":"\(name)","key":"\(Place.key(record))",\
      "text":"\(edition)","lastUpdate":\(wall),"expiry":\(lifetime),"codec":"json",\
      "entityTag":"\\"\(edition)\\"","tags":\(tags)}

      """
    let history = history
    history.takes(edition, 1)
    history.bring(edition)
    run(store) { life in
      defer {
        history.takes(edition, -1)
        history.arrived(edition)
      }
      var importer = life.store.importer()
      try await importer.take(Array(lines.utf8)[...])
      _ = try await importer.finish()
    }
  }
}
