/// One fetch, push or list that is to run now; its place is taken.
struct SyncJob: Sendable {
  let account: Ledger.Account
  var isPush = false
  /// What is fetched.
  var records: [RecordName] = []
  let run: @Sendable () async -> JobEnd
}
