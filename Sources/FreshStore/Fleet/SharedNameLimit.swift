/// The longest names that the hosts of a fleet share, in bytes of UTF-8: those that a mark can name.
package enum SharedNameLimit {
  package static let collection = 255
  package static let key = 1024
  package static let tag = 1024
}

extension SharedKey {
  /// Refuses what is too long for a fleet.
  package func check() throws(SharedTierError) {
    try SharedTierError.check(collection, "a collection", atMost: SharedNameLimit.collection)
    try SharedTierError.check(key, "a key", atMost: SharedNameLimit.key)
  }
}

extension SharedMark.Scope {
  /// Refuses what is too long for a fleet.
  package func check() throws(SharedTierError) {
    switch self {
    case .key(let key): try key.check()
    case .tag(let tag):
      try SharedTierError.check(tag, "a tag", atMost: SharedNameLimit.tag)
    case .prefix(let prefix, let collection):
      try SharedTierError.check(collection, "a collection", atMost: SharedNameLimit.collection)
      try SharedTierError.check(prefix, "a prefix", atMost: SharedNameLimit.key)
    case .collection(let name):
      try SharedTierError.check(name, "a collection", atMost: SharedNameLimit.collection)
    case .all: break
    }
  }
}

extension SharedTierError {
  fileprivate static func check(
    _ name: [UInt8], _ kind: String, atMost limit: Int
  ) throws(SharedTierError) {
    guard name.count > limit else { return }
    throw SharedTierError(
      .invalidArgument,
      "\(kind) has at most \(limit) bytes in a fleet, and this one has \(name.count)")
  }
}
