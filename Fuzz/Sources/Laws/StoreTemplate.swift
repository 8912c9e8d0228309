import FreshStore
import Strategies

/// Files of stores that inputs begin with; made once in a process.
enum StoreTemplate {
  /// The file of a store without records.
  static let empty: [UInt8] = {
    let folder = StoreFolder.fresh()
    waiting {
      let store = try Store(
        path: folder.file("template.db"), configuration: Configuration(reachability: .fixed(.online)))
      try await store.close()
    }
    return folder.contents["template.db"] ?? []
  }()
}
