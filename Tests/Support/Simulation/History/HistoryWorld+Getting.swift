import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// Gets, and reads of everything.
extension HistoryWorld {
  func get(_ store: Int, _ record: Int, isForced: Bool) {
    let (life, history, source) = (lives[store], history, source)
    let collection = Place.collection(record)
    let ground = ground(store)
    getCount += 1
    let variant = setting.hasVariants == true ? 1 + getCount % 2 : 0
    let task = Task {
      await HistoryWorld.get(
        life, record, variant: variant, isForced: isForced, history, ground, by: store
      ) { previous in
        let answers = try await source.fetch(
          [previous], collection, variant: variant, isForced: isForced, by: store)
        guard let answer = answers[previous.key] else { throw SourceFailure() }
        return answer
      }
    }
    gets.append((store, task))
  }

  private static func get(
    _ life: HistoryLife, _ record: Int, variant: Int, isForced: Bool, _ history: History,
    _ ground: @Sendable (Int) -> History.Ground, by store: Int,
    fetch: @escaping @Sendable (Previous<Int>) async throws -> Fetched<Int>
  ) async {
    let ground = ground(record)
    let (records, key) = (life.collections[Place.collection(record)], Place.key(record))
    var policy: Policy?
    if variant != 0 {
      policy = records.policy
      policy?.acceptsVariant = { $0 == nil || $0 == "\(variant)" }
    }
    do throws(GetError) {
      let answer =
        isForced
        ? try await records.refresh(key, policy: policy, fetch: fetch)
        : try await records.get(key, policy: policy, fetch: fetch)
      let own = HistorySource.variant(answer.value)
      if variant != 0, own != 0, own != variant {
        history.find(
          "a get by store \(store) is handed variant \(own) of \(Place.words(record)), and accepts "
            + "\(variant) alone")
      }
      judge(answer, record, ground, history, by: "a get by store \(store)")
    } catch {
      // A get may fail; the state of the store shows any error.
    }
  }

  func getAll(_ store: Int, _ collection: Int) {
    let (life, history, source, ground) = (lives[store], history, source, ground(store))
    let task = Task {
      await HistoryWorld.getAll(life, collection, history, ground, by: store) {
        try await source.fetch($0, collection, by: store)
      }
    }
    gets.append((store, task))
  }

  private static func getAll(
    _ life: HistoryLife, _ collection: Int, _ history: History,
    _ ground: @Sendable (Int) -> History.Ground, by store: Int,
    fetch: @escaping @Sendable ([Previous<Int>]) async throws -> [String: Fetched<Int>]
  ) async {
    let records = Place.records(of: collection).filter(Place.isListable)
    let grounds = records.map(ground)
    let results = await life.collections[collection].get(records.map(Place.key), fetch: fetch)
    for (record, ground) in zip(records, grounds) {
      guard case .success(let answer) = results[Place.key(record)] else { continue }
      judge(answer, record, ground, history, by: "a get of all by store \(store)")
    }
  }

  private static func judge(
    _ answer: Answer<Int>, _ record: Int, _ ground: History.Ground, _ history: History,
    by who: String
  ) {
    // A get that waits while the network is lost returns a copy that is usable offline.
    guard !answer.freshness.isStale, !history.isOffline else { return }
    let value = HistorySource.edition(answer.value)
    history.judge(kept: value, ground, by: who)
    let isLocal = answer.decision?.cause == .pendingWrite
    if answer.freshness == .fresh {
      history.judge(fresh: value, of: record, isLocal: isLocal, ground, by: who)
    } else {
      history.judge(value, of: record, isLocal: isLocal, ground, by: who)
    }
  }

  /// The knowledge about a record at the moment when a caller begins to look at it through a store.
  func ground(_ store: Int) -> @Sendable (Int) -> History.Ground {
    let (history, laws, host) = (history, fleet?.laws, setting.host(of: store))
    return { record in
      var ground = history.ground(record, on: host)
      ground.doubted = laws?.missed(record, by: store, on: host) ?? 0
      return ground
    }
  }

  /// Reads every record in every store.
  func readAll() {
    for (store, life) in lives.enumerated() {
      let look = ground(store)
      for record in 0..<Place.count {
        let ground = look(record)
        do throws(StoreError) {
          let reading = try life.read(record)
          if let copy = reading.copy {
            history.judge(
              kept: HistorySource.edition(copy.value), ground, by: "a read by store \(store)")
          }
          guard case .fresh(let copy) = reading, copy.decision.outcome == .fresh else { continue }
          history.judge(
            fresh: HistorySource.edition(copy.value), of: record,
            isLocal: copy.decision.cause == .pendingWrite, ground, by: "a read by store \(store)")
        } catch {
          history.find("store \(store) cannot be read: \(error)")
        }
      }
    }
  }
}
