import FreshStore
import Strategies

/// The files of a store that inputs begin with; made once in a process.
///
/// They are the same in every process except for random numbers: those of a log, of local writes
/// and of the holders of claims.
struct StoreTemplate {
  /// The bytes of each file, by name; the database is `store.db`.
  let files: [String: [UInt8]]
  /// Every value that was ever stored under each key of the collection ``collection``.
  private(set) var values: [String: Set<[UInt8]>] = [:]

  static let collection = "records"
  /// The value that the laws write under `key-6`.
  static let writtenLater: [UInt8] = [4]
  /// Local writes in the template.
  static let writes = 4
  static let origin: Origin = "https://example.org:443"

  /// The file of a store without records.
  static let empty: [UInt8] = {
    let folder = StoreFolder.fresh("template")
    waiting {
      let store = try Store(path: folder.file("store.db"), configuration: configuration)
      try await store.close()
    }
    return folder.contents["store.db"] ?? []
  }()

  /// A store with everything that a store can hold, the newest of it in its log.
  static let filled = StoreTemplate()

  static var configuration: Configuration {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = StillClock()
    configuration.random = { 0.5 }
    configuration.busyTimeout = .seconds(1)
    return configuration
  }

  private init() {
    let folder = StoreFolder.fresh("template")
    waiting { try await Self.fill(folder) }
    waiting { try await Self.fillLog(folder) }
    files = folder.contents
    for key in 0..<24 { values["key-\(key)", default: []].insert(Self.value(of: key)) }
    // The values that the laws write themselves.
    values["key-6", default: []].insert(Self.writtenLater)
    for key in 0..<2 { values["key-\(key)", default: []].insert(Self.value(of: 100 + key)) }
    for key in 0..<3 { values["written-\(key)", default: []].insert(Self.value(of: 200 + key)) }
  }

  /// Every eighth lies on pages of its own.
  private static func value(of number: Int) -> [UInt8] {
    let count = number.isMultiple(of: 8) ? 9000 : 150
    return (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ number) }
  }

  private static func fill(_ folder: StoreFolder) async throws {
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    var policy = Policy()
    policy.origin = origin
    let records = try store.bytes(collection, policy: policy)
    for number in 0..<20 {
      let details = FetchDetails(
        expiry: number.isMultiple(of: 2) ? .never : .after(.seconds(number)),
        hardEnd: number == 7 ? .seconds(90) : nil,
        validators: Validators(entityTag: "\"\(number)\"", lastModified: nil),
        tags: number.isMultiple(of: 3) ? ["three", "tag-\(number)"] : nil,
        source: "https://example.org/\(number)", contentType: "text/plain", metadata: "kept")
      try await records.put(
        value(of: number), for: "key-\(number)", details: details,
        isPinned: number == 5 ? true : nil)
    }
    // One object does not exist, and another is unknown.
    await failing { _ = try await records.get("gone") { _ in .gone } }
    await failing { _ = try await records.get("failed") { _ in throw CancellationError() } }
    await failing { _ = try await records.refresh("key-1") { _ in throw CancellationError() } }
    for number in 0..<3 {
      try await records.write(value(of: 200 + number), for: "written-\(number)")
    }
    try await records.writeDeletion(of: "key-4")
    _ = try await records.follow("list") { _ in
      .full(["key-2": .named, "key-3": .changed], cursor: "cursor")
    }
    try await store.close()
  }

  /// The following writes stay in the log: the files are read while the store is open.
  private static func fillLog(_ folder: StoreFolder) async throws {
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    let records = try store.bytes(collection)
    for number in 0..<2 { try await records.put(value(of: 100 + number), for: "key-\(number)") }
    for number in 20..<24 { try await records.put(value(of: number), for: "key-\(number)") }
    try await store.markStale(tag: "tag-9")
    try await records.markStale(prefix: "key-11")
    try await records.markStale("key-12")
    let files = folder.contents
    try await store.close()
    for (name, bytes) in files where !name.hasSuffix("-shm") { folder.write(bytes, to: name) }
  }

  private static func failing(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      // Only the store's memory of it matters.
    }
  }
}
