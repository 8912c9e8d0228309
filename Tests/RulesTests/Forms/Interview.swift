import Rules
import Synchronization

/// A rule that the test answers, in any order.
final class Interview: Sendable {
  private let questions: AsyncStream<(String, CheckedContinuation<Bool?, Never>)>
  private let asked: AsyncStream<(String, CheckedContinuation<Bool?, Never>)>.Continuation
  private let cancellations = Mutex<[String]>([])

  init() {
    (questions, asked) = AsyncStream.makeStream()
  }

  /// The rule; no answer leaves it undecided.
  var rule: AsyncRule<String> {
    AsyncRule { [asked, self] value, findings in
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { asked.yield((value, $0)) }
      } onCancel: {
        cancellations.withLock { $0.append(value) }
      }
      switch answer {
      case true?: return .passed
      case false?: return findings.fail(Issue("taken"))
      case nil: return findings.leaveUndecided("nobody knows")
      }
    }
  }

  /// The values whose questions were cancelled.
  var cancelled: [String] { cancellations.withLock { $0 } }

  /// The next question, once it has been asked.
  func next() async throws -> (value: String, answer: CheckedContinuation<Bool?, Never>) {
    var iterator = questions.makeAsyncIterator()
    guard let question = await iterator.next() else { throw CancellationError() }
    return question
  }
}
