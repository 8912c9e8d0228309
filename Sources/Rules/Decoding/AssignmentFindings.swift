internal import Synchronization

/// The assignments rejected while a block of them ran in this task.
final class AssignmentFindings: Sendable {
  @TaskLocal static var current: AssignmentFindings?

  private static let lastMark = Atomic(0)

  private let first = AssignmentFindings.lastMark.load(ordering: .relaxed)
  private let state = Mutex<[(mark: Int, report: Report)]>([])

  /// The failed assignments in their order, each with its mark.
  var entries: [(mark: Int, report: Report)] { state.withLock { $0 } }

  /// Records a property's rejection, and adds the mark that identifies the property to its own;
  /// those of earlier blocks are dropped.
  func note(_ report: Report, _ marks: inout [Int]) {
    let mark = Self.lastMark.add(1, ordering: .relaxed).newValue
    marks.removeAll { $0 <= first }
    marks.append(mark)
    state.withLock { $0.append((mark, report)) }
  }
}
