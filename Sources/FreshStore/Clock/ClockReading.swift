public import Strategies

/// One reading of both clocks: the wall clock, which people and other machines share but which may
/// be set, and the time since boot, which only goes forward.
public struct ClockReading: Sendable, Hashable {
  /// The wall clock.
  public let wall: Timestamp
  /// The boot of the machine; 0 when the machine does not tell.
  public let boot: Int64
  /// Milliseconds since that boot, suspended time included.
  public let sinceBoot: Int64

  /// Creates a reading.
  public init(wall: Timestamp, boot: Int64, sinceBoot: Int64) {
    self.wall = wall
    self.boot = boot
    self.sinceBoot = sinceBoot
  }
}

extension ClockReading {
  /// The position in the refetch queue of a record that is stale since `moment`: at most now,
  /// because the wall clock may have been set back since, and there is nothing left to wait for.
  func place(since moment: Timestamp) -> Timestamp { min(moment, wall) }

  /// This moment on the wall clock of a later reading: a step of the clock between the two changes
  /// no interval.
  package func wall(at later: ClockReading) -> Timestamp {
    later.wall.advanced(by: .milliseconds(sinceBoot - later.sinceBoot))
  }
}
