/// One that keeps records under keys.
protocol Peer {
  /// Ways to read one record, with all records there.
  var reads: [Entrant] { get }
  /// Replaces one record, in a transaction of its own.
  var put: Entrant { get }
  /// Begins anew with nothing, which is not timed, and stores so many records.
  var fill: Entrant { get }
  /// Ends all that was begun for it.
  func close() async throws
}
