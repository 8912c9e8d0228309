internal import Strategies

/// The limits of a sweep.
public struct SweepOptions: Sendable {
  /// The most records to mark, at least 1; `nil` for all.
  public var limit: Int?
  /// The most records in one write transaction. The actual number depends on ``holdTime`` and on
  /// the speed of the machine.
  package var batchSize = 1000
  /// The target time for which one write transaction blocks other writers. Other load on the
  /// machine can make it longer; ``SweepResult/longestHold`` reports it.
  package var holdTime = Duration.milliseconds(2)
  /// After this time, longer than zero, the sweep ends with the current batch; `nil` for no limit.
  public var timeLimit: Duration?
  /// How long to wait for a running sweep of another owner, in this process or another.
  public var wait = Duration.zero
  /// The right to sweep, if the caller already holds it: ``Store/lockSweeps(waiting:)``.
  package var lock: SweepLock?
  /// Counts the records to mark and writes nothing; any number of dry runs may run at once.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (SweepResult) -> Void)?

  /// The defaults: everything, in transactions of 2 ms, unless another sweep is running.
  public init() {}
}

extension SweepOptions {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("limit", limit, from: 1)
    numbers.require("batchSize", batchSize, from: 1)
    numbers.require("holdTime", holdTime, from: .nanoseconds(1))
    numbers.require("timeLimit", timeLimit, from: .nanoseconds(1))
    numbers.require("wait", wait)
    return numbers
  }
}
