internal import Strategies

extension ListFollower {
  /// Checks and encodes the members, each on its own.
  func admit(
    _ members: [String: ListMember<Value>], toldAt: ClockReading,
    into change: inout Storage.ListChange
  ) async {
    var fetched: [String: Fetched<Value>] = [:]
    for (key, member) in members {
      guard Self.isKey(key) else {
        change.followed.refused[key] = FetchFailure(.notStorable, "the key is no key of a record")
        continue
      }
      change.members.append(key)
      switch member {
      case .value(let value, let details): fetched[key] = .value(value, details)
      case .named: change.named.append(key)
      case .unchanged: change.unchanged.append(key)
      case .changed: change.changed.append(key)
      }
    }
    let admitted = await collection.admitted(
      .success(fetched), for: Array(fetched.keys), limit: policy.hardTimeout)
    for (key, answer) in admitted {
      switch answer {
      case .success(.value(let value, let details)) where details.isStorable:
        do throws(StoreError) {
          change.writes.append(try write(value, details, toldAt: toldAt, for: key))
        } catch {
          change.changed.append(key)
          change.followed.refused[key] = FetchFailure(.notStorable, "\(error)", underlying: error)
        }
      case .success: change.changed.append(key)
      case .failure(let failure):
        // The source has another value than the copy, but not one that may be stored.
        change.changed.append(key)
        change.followed.refused[key] = failure
      }
    }
  }

  static func isKey(_ key: String) -> Bool { (1...1024).contains(key.utf8.count) }

  private func write(
    _ value: Value, _ details: FetchDetails, toldAt: ClockReading, for key: String
  ) throws(StoreError) -> Storage.Write {
    var content = collection.content(
      key, details,
      expiry: policy.expiry(of: details, random: collection.store.configuration.random))
    content.value = try collection.encoded(value, key, .follow)
    return Storage.Write(
      content: content, tags: details.tags, statedAt: details.lastUpdate == nil ? nil : toldAt)
  }
}
