/// What residents of one collection have in common that were made alike: of one type, by one codec. Two
/// uses of a collection share residents when they have the same kind, which is told by identity.
final class ResidentKind: Sendable {
  /// The number of the collection's name.
  let collection: UInt32

  init(collection: UInt32) {
    self.collection = collection
  }
}
