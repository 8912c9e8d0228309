import FreshStoreTesting
import GlobalQueue

/// Runs every task of the process, one at a time, on the thread that asks for it, in an order that a
/// number decides.
struct Scheduler {
  /// A step after which there is always more to do.
  struct Restless: Error {}

  private var generator: SeededGenerator?

  /// Takes the tasks of the process over, for good.
  static func begin() { global_queue_take_over() }

  /// The order from now on; 0 for that in which the tasks come.
  mutating func reseed(_ luck: UInt32) {
    generator = luck == 0 ? nil : SeededGenerator(seed: UInt64(luck))
  }

  /// Runs what is ready, and what it makes ready, and what sleeps in real time for less than
  /// `patience`, which does not pass.
  mutating func rest(_ patience: Duration = .milliseconds(100)) throws {
    var left = UInt64(patience / .nanoseconds(1))
    repeat { try runReady() } while unsafe global_queue_wake(&left)
  }

  private mutating func runReady() throws {
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
