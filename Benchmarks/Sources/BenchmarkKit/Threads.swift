internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads that do the same at once.
public enum Threads {
  /// Runs `body` on so many threads, waits for all of them and returns their results.
  public static func run<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Result
  ) -> [Result] {
    let results = Results<Result>()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread.detachNewThread {
        let result = body(index)
        results.values.withLock { $0.append(result) }
        group.leave()
      }
    }
    group.wait()
    return results.values.withLock(\.self)
  }

  private final class Results<Value: Sendable>: Sendable {
    let values = Mutex<[Value]>([])
  }
}
