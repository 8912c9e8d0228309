#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The body of a question to a server that judges values.
struct RemoteQuestion: Encodable {
  private enum CodingKeys: String, CodingKey {
    case instance, extra
  }

  let instance: any Encodable
  let extra: (any Encodable)?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let optional = instance as? any OptionalInstance, optional.isNone {
      try container.encode("", forKey: .instance)
    } else {
      try container.encode(instance, forKey: .instance)
    }
    if let extra { try container.encode(extra, forKey: .extra) }
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }
}

/// A value that may be `nil`.
private protocol OptionalInstance {
  var isNone: Bool { get }
}

extension Optional: OptionalInstance {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
