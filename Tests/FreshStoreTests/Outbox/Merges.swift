import StoreSupport

@testable import FreshStore

/// The conflicts that a merge was asked about, each as base, local and remote.
final class Merges: Sendable {
  let asked = Recorder<[String?]>()

  var policy: ConflictPolicy<String> {
    .merge { [asked] conflict in
      asked.add([conflict.base, conflict.local, conflict.remote])
      return .merged("\(conflict.local ?? "-") and \(conflict.remote ?? "-")")
    }
  }
}
