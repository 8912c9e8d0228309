internal import FreshStore
internal import Strategies

/// One fetch, push or list that is to run now.
struct SyncJob: Sendable {
  let account: RunProgress.Account
  /// Its place among all jobs under way.
  let place: Taken
  /// The trial it makes, where its source is on trial.
  var trial: Trials.Trial?
  /// The records it fetches.
  var records: [RecordID] = []
  /// The records whose local writes it pushes.
  var pushes: [RecordID] = []
  /// The state of its source.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  let run: @Sendable () async -> JobEnd

  var isPush: Bool { !pushes.isEmpty }
}
