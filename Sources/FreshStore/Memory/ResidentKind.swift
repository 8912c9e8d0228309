/// What residents of one collection have in common that were made alike: of one type, by one codec. Two
/// uses of a collection share residents when they have the same kind, which is told by its number.
@usableFromInline
final class ResidentKind: Sendable {
  let number: UInt32
  /// The number of the collection's name.
  let collection: UInt32
  let contentVersion: Int64

  init(number: UInt32, collection: UInt32, contentVersion: Int64) {
    self.number = number
    self.collection = collection
    self.contentVersion = contentVersion
  }
}
