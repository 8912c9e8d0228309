internal import Foundation

/// What is stored: values, and the same as bytes, encoded once.
final class People: Sendable {
  let values: [Person]
  let bytes: [[UInt8]]

  init(count: Int) throws {
    values = (0..<count).map(Person.init)
    let encoder = JSONEncoder()
    bytes = try values.map { Array(try encoder.encode($0)) }
  }
}
