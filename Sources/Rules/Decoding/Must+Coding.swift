extension Must: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Must: Decodable where Source: RuleProvider, Source.Value: Decodable {
  /// Decodes a value that keeps the rule.
  ///
  /// - Throws: `DecodingError`; a broken rule is `dataCorrupted` with a ``VerificationError`` under
  ///   it. While a document is verified, issues are collected instead.
  @inlinable public init(from decoder: any Decoder) throws {
    self = try Must.read(Source(), Source.policy ?? .reject, decoder.codingPath) {
      try decoder.singleValueContainer().decode(Source.Value.self)
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property with a rule; the compiler's `init(from:)` calls it.
  @inlinable public func decode<Source: RuleProvider>(
    _: Must<Source>.Type, forKey key: Key
  ) throws -> Must<Source> where Source.Value: Decodable {
    try Must.read(Source(), Source.policy ?? .reject, codingPath + [key]) {
      try decodeDirectly(Source.Value.self, forKey: key)
    }
  }
}

extension Must where Source.Value: Decodable {
  /// Decodes the value of a property whose rule was given as an argument, in a hand-written
  /// `init(from:)`.
  ///
  /// ```swift
  /// init(from decoder: any Decoder) throws {
  ///   let container = try decoder.container(keyedBy: CodingKeys.self)
  ///   try _amount.decode(from: container, forKey: .amount)
  /// }
  /// ```
  @inlinable public mutating func decode<Key>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws {
    self = try Must.read(source, policy, container.codingPath + [key]) {
      try container.decodeDirectly(Source.Value.self, forKey: key)
    }
  }

  @inlinable static func read(
    _ source: Source, _ policy: AssignmentPolicy, _ path: @autoclosure () -> [any CodingKey],
    _ decode: () throws -> Source.Value
  ) throws -> Must {
    let value: Source.Value
    do {
      value = try decode()
    } catch {
      let substitute = try DecodingFindings.substitute(for: Source.Value.self, after: error, path())
      return Must(source, policy, substitute)
    }
    let report = source.rule.check(value)
    if !report.issues.isEmpty {
      try DecodingFindings.note(report, path())
    }
    return Must(source, policy, value)
  }
}
