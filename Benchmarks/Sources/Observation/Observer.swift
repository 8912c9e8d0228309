internal import BenchmarkKit
internal import Foundation
internal import FreshStore

/// Another process that notes when it learns of each record.
enum Observer {
  /// Observes, in this process, until it learns of `last`: `observe PATH READY-FILE`.
  static func run(_ arguments: [String]) async throws {
    let store = try Store(path: arguments[1])
    var moments: [String: Int64] = [:]
    let changes = store.changes(buffering: 100_000)
    // Observers are listed in the file; later commits are reported.
    try Data().write(to: URL(filePath: arguments[2]))
    for await change in changes {
      let now = Moment.now
      if let key = change.key { moments[key] = now }
      if change.key == "last" || change.kind == .unknown { break }
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(moments))
    try await store.close()
  }
}
