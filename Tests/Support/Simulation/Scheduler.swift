import FreshStoreTesting
import GlobalQueue

/// Runs every task of the process, one at a time, on the calling thread, in an order that a
/// number determines.
struct Scheduler {
  /// A step that always leaves more to do.
  struct Restless: Error {}

  /// The stores' real time.
  let clock = ManualClock()
  private var generator: SeededGenerator?

  /// Takes over the tasks of the process, permanently.
  static func begin() { global_queue_take_over() }

  /// The order from now on; 0 for the order of arrival.
  mutating func reseed(_ luck: UInt32) {
    generator = luck == 0 ? nil : SeededGenerator(seed: UInt64(luck))
  }

  /// Runs the tasks that are ready or become ready, and lets every task that waits for a moment in real
  /// time look around.
  ///
  /// They look every 50 ms at least, which are three rounds, and of those that look at once only one
  /// may get the thing that all of them wait for.
  mutating func rest() throws {
    try runReady()
    for _ in 0..<(3 * clock.sleepers) where clock.sleepers > 0 {
      clock.advance(by: .milliseconds(20))
      try runReady()
    }
  }

  /// Runs this many pieces of tasks that are ready or become ready; without one, tasks that wait
  /// for a moment in real time look around.
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

  /// Runs the tasks that are ready or become ready.
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
