internal import Synchronization

/// The floor: a word that any thread may write and that is read with one load.
final class SharedWord: Sendable {
  let word: Atomic<UInt64>

  init(_ value: UInt64) {
    word = Atomic(value)
  }

  /// The load behind a call, which a read from another module cannot avoid.
  @inline(never)
  func load() -> UInt64 { word.load(ordering: .acquiring) }
}
