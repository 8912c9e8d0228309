internal import FreshStore
internal import Strategies

/// One fetch, push or list that is to run now.
struct SyncJob: Sendable {
  let account: Ledger.Account
  /// Among all that are under way.
  let place: Taken
  var isPush = false
  /// What it is a trial of, where its source is on trial.
  var trial: Trials.Trial?
  /// What is fetched.
  var records: [RecordID] = []
  /// Whether the source that is asked can be reached.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  let run: @Sendable () async -> JobEnd
}
