internal import Dispatch
internal import Foundation
internal import Synchronization

/// An HTTP origin on a thread in a network namespace of its own.
final class Origin: Sendable {
  private enum Step {
    case began
    case entered(String)
    case listening
    case failed(any Error)
  }

  private let arrivals: Arrivals
  private let step = Mutex<Step>(.began)
  private let hasStepped = DispatchSemaphore(value: 0)
  private let mayListen = DispatchSemaphore(value: 0)

  init(_ arrivals: Arrivals) {
    self.arrivals = arrivals
  }

  /// Starts the thread; returns the file of its namespace once it has entered that.
  func start() throws -> String {
    Thread.detachNewThread { [self] in run() }
    hasStepped.wait()
    switch step.withLock({ $0 }) {
    case .entered(let namespace): return namespace
    case .failed(let error): throw error
    case .began, .listening: throw NoNetwork(cause: "the origin's thread is out of step")
    }
  }

  /// Has it listen, when its network is there.
  func listen() throws {
    mayListen.signal()
    hasStepped.wait()
    if case .failed(let error) = step.withLock({ $0 }) { throw error }
  }

  private func run() {
    do {
      note(.entered(try Network.enter()))
      mayListen.wait()
      var loop = try OriginLoop(arrivals)
      note(.listening)
      loop.run()
    } catch {
      note(.failed(error))
    }
  }

  private func note(_ next: Step) {
    step.withLock { $0 = next }
    hasStepped.signal()
  }
}
