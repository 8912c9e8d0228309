import FreshStoreTesting
import GlobalQueue

/// Runs every task of the process, one at a time, on the thread that asks for it, in an order that a
/// number decides.
struct Scheduler {
  /// A step after which there is always more to do.
  struct Restless: Error {}

  /// What real time is to the stores.
  let clock = ManualClock()
  private var generator: SeededGenerator?

  /// Takes the tasks of the process over, for good.
  static func begin() { global_queue_take_over() }

  /// The order from now on; 0 for that in which the tasks come.
  mutating func reseed(_ luck: UInt32) {
    generator = luck == 0 ? nil : SeededGenerator(seed: UInt64(luck))
  }

  /// Runs what is ready, and what that makes ready, and lets everyone who waits for a moment in real
  /// time look around.
  ///
  /// They look every 50 ms at least, which are three rounds, and of those who look at once only one
  /// may get what all of them wait for.
  mutating func rest() throws {
    try runReady()
    for _ in 0..<(3 * clock.sleepers) where clock.sleepers > 0 {
      clock.advance(by: .milliseconds(20))
      try runReady()
    }
  }

  /// Runs so many pieces of what is ready, and of what that makes ready; where nothing is, whoever waits
  /// for a moment in real time looks around.
  mutating func run(_ pieces: Int) throws {
    var idle = 0
    for _ in 0..<pieces {
      let count = global_queue_count()
      if count > 0 {
        global_queue_run(count > 1 ? next(count) : 0)
      } else if clock.sleepers > 0, idle < 3 {
        idle += 1
        clock.advance(by: .milliseconds(20))
      } else {
        return
      }
    }
  }

  /// Runs what is ready, and what that makes ready.
  mutating func runReady() throws {
    var jobs = 0
    while true {
      let count = global_queue_count()
      guard count > 0 else { return }
      jobs += 1
      guard jobs < 20_000 else { throw Restless() }
      let index = count > 1 ? next(count) : 0
      global_queue_run(index)
    }
  }

  private mutating func next(_ count: Int) -> Int {
    guard var generator else { return 0 }
    defer { self.generator = generator }
    return Int.random(in: 0..<count, using: &generator)
  }
}
