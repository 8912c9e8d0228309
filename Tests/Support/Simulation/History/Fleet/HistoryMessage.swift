/// A message between a host and the shared tier that is late, or a copy of one.
struct HistoryMessage: Sendable {
  let host: Int
  /// Ends the wait of its caller; the message may arrive all the same.
  let giveUp: @Sendable () -> Void
  let arrive: @Sendable () async -> Void

  init(
    host: Int, giveUp: @escaping @Sendable () -> Void = {},
    arrive: @escaping @Sendable () async -> Void
  ) {
    (self.host, self.giveUp, self.arrive) = (host, giveUp, arrive)
  }
}
