/// A store of records under keys.
protocol Peer {
  /// Ways to read one record, with all records there.
  var reads: [Entrant] { get }
  /// Replaces one record, in a transaction of its own.
  var put: Entrant { get }
  /// Starts over without records, which is not timed, and stores so many.
  var fill: Entrant { get }
  /// Ends everything that was begun for it.
  func close() async throws
}
