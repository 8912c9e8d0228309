extension Should: Encodable where Source.Value: Encodable {
  /// Encodes the value; `nil` as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Should: Decodable where Source: RuleProvider, Source.Value: Decodable {
  /// Decodes a value; one that breaks the rule becomes `nil`, unless the policy is to flag it.
  @inlinable public init(from decoder: any Decoder) throws {
    self = try Should.read(Source(), Source.policy ?? .clear, decoder.codingPath) {
      try decoder.singleValueContainer().decode(Source.Value?.self)
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property with a rule; the compiler's `init(from:)` calls it.
  @inlinable public func decode<Source: RuleProvider>(
    _: Should<Source>.Type, forKey key: Key
  ) throws -> Should<Source> where Source.Value: Decodable {
    try Should.read(Source(), Source.policy ?? .clear, codingPath + [key]) {
      try decodeDirectlyIfPresent(Source.Value.self, forKey: key)
    }
  }
}

extension Should where Source.Value: Decodable {
  /// Decodes the value of a property whose rule was given as an argument; see
  /// ``Must/decode(from:forKey:)``.
  @inlinable public mutating func decode<Key>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws {
    self = try Should.read(source, policy, container.codingPath + [key]) {
      try container.decodeDirectlyIfPresent(Source.Value.self, forKey: key)
    }
  }

  @inlinable static func read(
    _ source: Source, _ policy: AssignmentPolicy, _ path: @autoclosure () -> [any CodingKey],
    _ decode: () throws -> Source.Value?
  ) throws -> Should {
    let decoded: Source.Value?
    do {
      decoded = try decode()
    } catch {
      // A value of the wrong type is not broken advice: the document is damaged.
      try DecodingFindings.note(error, path())
      decoded = nil
    }
    guard let value = decoded else { return Should(source, policy, nil) }
    let report = report(source, value)
    if !report.issues.isEmpty { DecodingFindings.advise(report, path()) }
    return Should(source, policy, value, report)
  }
}
