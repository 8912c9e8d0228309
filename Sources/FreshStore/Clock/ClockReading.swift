public import Strategies

/// One look at both clocks: the wall clock, which people and other machines share but which may be
/// set, and the time since boot, which only goes forward.
public struct ClockReading: Sendable, Hashable {
  /// The wall clock.
  public let wall: Timestamp
  /// Which boot of the machine this is; 0 when the machine does not say.
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
  /// When what is stale since `moment` comes up in the refetch queue: by now, as the wall clock may have
  /// been set back since that was stamped, and there is nothing left to wait for.
  func place(since moment: Timestamp) -> Timestamp { min(moment, wall) }

  /// This moment as the wall clock of a later reading has it: a step of the clock between the two
  /// changes no span.
  package func wall(at later: ClockReading) -> Timestamp {
    later.wall.advanced(by: .milliseconds(sinceBoot - later.sinceBoot))
  }
}
