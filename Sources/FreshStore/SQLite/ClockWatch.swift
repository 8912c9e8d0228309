internal import Strategies
internal import Synchronization

/// Notices that the wall clock was set since somebody last looked, and that what the file knows of it has
/// grown old.
final class ClockWatch: Sendable {
  /// In milliseconds. A clock that is set right little by little goes that far in half an hour.
  static let tolerance: Int64 = 1000
  /// In milliseconds. A clock that goes wrong while the machine is off is noticed to within so much.
  static let memory: Int64 = 60_000

  private let clock: any StoreClock
  private let last = Mutex<ClockReading?>(nil)
  private let notes = Atomic<Int>(0)

  init(_ clock: any StoreClock) {
    self.clock = clock
  }

  var now: ClockReading { clock.now() }

  /// The time, when the file is to be told; `nil` when it knows.
  var news: ClockReading? {
    let now = now
    let isKnown = last.withLock { last in
      guard let last, last.boot == now.boot, now.boot != 0 else { return false }
      let passed = now.sinceBoot &- last.sinceBoot
      let step = now.wall.millisecondsSinceEpoch &- last.wall.millisecondsSinceEpoch &- passed
      return step.magnitude < Self.tolerance && passed < Self.memory
    }
    return isKnown ? nil : now
  }

  /// How often the file was told of the time: whoever looked at it before and after this changed may
  /// have seen moments as they were.
  var noteCount: Int { notes.load(ordering: .acquiring) }

  func note(_ now: ClockReading) {
    last.withLock { $0 = now }
    notes.add(1, ordering: .acquiringAndReleasing)
  }

  /// The same moment as the clock shows it that the file was told of last. Who came with a reading may
  /// have waited for the write lock, and the clock may have been set meanwhile.
  func present(_ reading: ClockReading) -> ClockReading {
    guard let last = last.withLock({ $0 }), last.boot == reading.boot, reading.boot != 0 else {
      return reading
    }
    let wall = reading.wall(at: last)
    guard abs(wall.duration(since: reading.wall).wholeMilliseconds) >= Self.tolerance else {
      return reading
    }
    return ClockReading(wall: wall, boot: reading.boot, sinceBoot: reading.sinceBoot)
  }
}

/// What a file knows of the wall clock.
struct KnownClock {
  let boot: Int64
  /// What the wall clock would have shown when that boot began.
  let origin: Int64
  let wall: Int64

  init(boot: Int64, origin: Int64, wall: Int64) {
    (self.boot, self.origin, self.wall) = (boot, origin, wall)
  }

  init(_ now: ClockReading) {
    let wall = now.wall.millisecondsSinceEpoch
    self.init(boot: now.boot, origin: wall &- now.sinceBoot, wall: wall)
  }

  /// By how much the clock was set before `present`, and what is due by either; `nil` when it was not.
  ///
  /// Across a boot all that is known is that it does not go back; a machine that does not name its boots
  /// always has a new one.
  func step(to present: KnownClock) -> (step: Int64, moment: Int64)? {
    let expected =
      isOfSameBoot(as: present)
      ? origin &+ (present.wall &- present.origin) : max(wall, present.wall)
    let step = present.wall &- expected
    return step.magnitude < ClockWatch.tolerance ? nil : (step, min(expected, present.wall))
  }

  func isOfSameBoot(as present: KnownClock) -> Bool { boot == present.boot && boot != 0 }

  /// True when there is no need to write `present` down in its place.
  func standsFor(_ present: KnownClock) -> Bool {
    boot == present.boot && step(to: present) == nil
      && present.wall &- wall < ClockWatch.memory
  }
}
