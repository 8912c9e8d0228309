internal import Platform

/// A name of a collection, a key, a list or an origin, compared by its bytes.
///
/// Unicode considers a composed and a decomposed text equal; to the database they are two names, and so they are
/// here. Every table that is keyed by name uses this type.
package struct ExactName: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// The order of the database.
  package static func < (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 text contains this byte: it separates the end of one name from the beginning of the next.
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// True when two names are one to the database; `==` is also true for some texts with different bytes.
  @inline(__always)
  package func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let start = left.baseAddress,
          let otherStart = right.baseAddress
        else { return left.count == right.count }
        return unsafe memcmp(start, otherStart, left.count) == 0
      }
    }
  }
}

extension String? {
  /// True when both names are one to the database, or both are `nil`.
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension Dictionary where Key == ExactName {
  package subscript(name: String) -> Value? {
    get { self[ExactName(name)] }
    set { self[ExactName(name)] = newValue }
  }

  package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactName(name), default: value()] }
    _modify { yield &self[ExactName(name), default: value()] }
  }
}

extension Set<ExactName> {
  package init(names: some Sequence<String>) {
    self.init(names.lazy.map(ExactName.init))
  }

  package func contains(_ name: String) -> Bool { contains(ExactName(name)) }

  /// True when the name was new.
  @discardableResult
  package mutating func insert(_ name: String) -> Bool { insert(ExactName(name)).inserted }
}

/// The identity of a record in its store, compared by bytes.
package struct RecordID: Hashable, Sendable {
  package let collection: String
  package let key: String

  package init(_ collection: String, _ key: String) {
    self.collection = collection
    self.key = key
  }

  package static func == (left: RecordID, right: RecordID) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.collection.hasSameBytes(as: right.collection)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ExactName(collection))
    hasher.combine(ExactName(key))
  }
}

/// The part of a commit that survives a power cut. A crash of the process loses no commit either way.
/// Source: https://sqlite.org/pragma.html#pragma_synchronous, in WAL mode.
public enum Durability: Sendable, Hashable {
  /// A power cut may undo the newest commits (`synchronous=NORMAL`). The commit waits for no disk.
  /// It never undoes half of a commit, and undoes a commit only together with all later ones.
  case normal
  /// No acknowledged commit is lost (`synchronous=FULL`). The commit waits until the disk has it.
  case full
}
