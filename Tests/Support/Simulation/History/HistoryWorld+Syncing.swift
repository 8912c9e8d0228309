import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// Holds, lists and synchronizers.
extension HistoryWorld {
  func hold(_ store: Int, _ collection: Int) {
    guard setting.isGuarded else { return }
    let (history, host) = (history, setting.host(of: store))
    let releases = history.releases(on: host)
    run(store) { life in
      try await life.store.hold(HistoryLife.origin(collection), because: "nobody is signed in")
      history.held(collection, after: releases, on: host)
    }
  }

  func release(
    _ store: Int, _ collections: ClosedRange<Int>,
    _ body: @escaping @Sendable (HistoryLife) async throws -> Void
  ) {
    let (history, laws, host) = (history, fleet?.laws, setting.host(of: store))
    history.beginRelease(collections, on: host)
    laws?.release(collections, on: host)
    run(store) { life in
      defer {
        history.endRelease(on: host)
        laws?.release(collections, on: host)
      }
      try await body(life)
    }
  }

  // MARK: Lists and synchronizers

  func follow(_ store: Int, _ collection: Int) {
    let (life, source) = (lives[store], source)
    let task = Task {
      do throws(GetError) {
        _ = try await life.collections[collection].follow(Place.list) {
          try await source.list($0, collection, by: store)
        }
      } catch {
        // The next one asks again.
      }
    }
    followings.append((store, task))
  }

  func run(_ store: Int) {
    guard log.beginDraining(store) else { return }
    let (life, log, age) = (lives[store], log, log.generation(store))
    Task {
      var failure: String?
      do throws(SyncError) {
        try await life.synchronizer.run()
      } catch {
        failure = "\(error)"
      }
      if log.generation(store) == age { log.endDraining(store, failure) }
    }
  }
}
