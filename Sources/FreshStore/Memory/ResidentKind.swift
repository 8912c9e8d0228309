/// The properties shared by the residents of one collection with the same type and codec. Two uses
/// of a collection share residents when they have the same kind, identified by its number.
@usableFromInline
final class ResidentKind: Sendable {
  let number: UInt32
  /// The collection's name, and its number.
  let name: String
  let collection: UInt32
  let contentVersion: Int64

  init(number: UInt32, name: String, collection: UInt32, contentVersion: Int64) {
    self.number = number
    self.name = name
    self.collection = collection
    self.contentVersion = contentVersion
  }
}
