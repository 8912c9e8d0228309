public import FreshStore

/// What an import may do.
public struct ImportOptions: Sendable {
  /// True, and what is imported takes the place of what is here, whichever is newer; false, and of
  /// two copies of a record the one with the later last update stays, and of two as old the one here.
  public var replaces = false
  /// Counts what would be imported and writes nothing.
  public var isDryRun = false
  /// Values have to pass the rules of this collection, whatever its name, and are stored as its
  /// schema's steps leave them; `nil` for no rules.
  public var rules: RecordCollection<[UInt8]>?
  /// How long one write transaction should keep other writers waiting.
  public var holdTime = Duration.milliseconds(2)
  /// Called for every line that is refused.
  public var refused: (@Sendable (ImportRefusal) -> Void)?

  /// The defaults: the newer copy stays, and every value is taken in.
  public init() {}
}
