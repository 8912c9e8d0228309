internal import FreshStore
internal import Strategies

/// One fetch, push or list that is to run now; its place is taken.
struct SyncJob: Sendable {
  let account: Ledger.Account
  var isPush = false
  /// What is fetched.
  var records: [RecordID] = []
  /// Whether the source that is asked can be reached.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  let run: @Sendable () async -> JobEnd
}
