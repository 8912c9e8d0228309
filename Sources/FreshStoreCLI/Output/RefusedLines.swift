#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Synchronization

  /// Lines that an import refused, on standard error: only the first of them, because a terminal
  /// full of them says no more.
  final class RefusedLines: Sendable {
    private static let most = 20
    private let count = Mutex(0)

    func tell(_ refusal: ImportRefusal) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= Self.most + 1 else { return }
      guard number <= Self.most else { return Console.note("more lines are refused") }
      let key = refusal.key.map { " (\(Console.quoted(key: $0)))" } ?? ""
      let remedy = refusal.isTooLarge ? "; raise --max-size" : ""
      Console.note("line \(refusal.line)\(key): \(refusal.reason)\(remedy)")
    }
  }
#endif
