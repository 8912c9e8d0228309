public import FreshStore

/// The options of an import.
public struct ImportOptions: Sendable {
  /// If true, imported records replace existing ones, whichever is newer; if false, the copy with
  /// the later last update stays, and of two equally old ones the existing one.
  public var replaces = false
  /// Counts the records to import and writes nothing.
  public var isDryRun = false
  /// Values have to pass the rules of this collection, whatever its name, and are stored in the
  /// form that its schema's steps produce; `nil` for no rules.
  public var rules: RecordCollection<[UInt8]>?
  /// The target time for which one write transaction blocks other writers.
  package var holdTime = Duration.milliseconds(2)
  /// Called for every line that is refused.
  public var refused: (@Sendable (ImportRefusal) -> Void)?

  /// The defaults: the newer copy stays, and every value is imported.
  public init() {}
}
