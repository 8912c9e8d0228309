/// An optional property whose value should keep a rule; a value that breaks it becomes `nil`.
///
/// ```swift
/// @Should(.notEmpty) var name: String?
/// name = "Ada" // name is "Ada"
/// name = ""    // name is nil, and $name.rejected says why
/// ```
///
/// It is a value: a copy shares nothing with it. Its issues have the severity ``Severity/should``, so only strict
/// callers reject them. `nil` breaks no rule. Two are equal when their values are.
///
/// Decodable as ``Must`` is; a missing key and a null give `nil`.
@propertyWrapper public struct Should<Source: RuleSource> {
  @usableFromInline let source: Source
  @usableFromInline let policy: AssignmentPolicy
  @usableFromInline var value: Source.Value?
  @usableFromInline var rejected: Rejection<Source.Value>?
  @usableFromInline var marks: [Int] = []

  /// Creates a property with a rule given as an argument. A declared value that breaks the rule becomes `nil`,
  /// unless the policy is to flag it.
  public init<Value>(
    wrappedValue: Value? = nil, _ rule: Rule<Value>, policy: AssignmentPolicy = .clear
  ) where Source == Rule<Value> {
    self.init(rule, policy, wrappedValue)
  }

  /// Creates a property with a rule that is a type, and an optional value.
  public init(wrappedValue: Source.Value? = nil) where Source: RuleProvider {
    self.init(Source(), Source.policy ?? .clear, wrappedValue)
  }

  @inlinable init(_ source: Source, _ policy: AssignmentPolicy, _ value: Source.Value?) {
    self.source = source
    self.policy = policy
    if let value { take(value, Self.report(source, value)) }
  }

  /// Creates a property with a value whose report is known.
  @inlinable init(
    _ source: Source, _ policy: AssignmentPolicy, _ value: Source.Value, _ report: Report
  ) {
    self.source = source
    self.policy = policy
    take(value, report)
  }

  /// The value. Setting a value that breaks the rule applies the policy. Costs a check.
  public var wrappedValue: Source.Value? {
    @inlinable get { value }
    set {
      rejected = nil
      guard let newValue else {
        value = nil
        return
      }
      let report = Self.report(source, newValue)
      take(newValue, report)
      if report.outcome == .failed {
        AssignmentFindings.current?.note(report, &marks)
      }
    }
  }

  /// The rule's verdict on the value; `nil` is valid. Costs a check.
  public var projectedValue: PropertyVerdict<Source.Value> {
    PropertyVerdict(rule: source.rule, report: presentReport, rejected: rejected)
  }

  @inlinable mutating func take(_ newValue: Source.Value, _ report: Report) {
    guard report.outcome == .failed, policy != .flag else {
      value = newValue
      return
    }
    rejected = Rejection(value: newValue, report: report)
    if policy == .clear { value = nil }
  }

  /// The issues of a value, all of them advice. The outcome is failure where the value breaks a must of the rule
  /// itself.
  @inlinable static func report(_ source: Source, _ value: Source.Value) -> Report {
    var report = source.rule.check(value)
    guard !report.issues.isEmpty else { return report }
    report.outcome = report.isValid ? .passed : .failed
    for index in report.issues.indices { report.issues[index].severity = .should }
    return report
  }
}

extension Should: RuledProperty {
  var presentReport: Report { value.map { Self.report(source, $0) } ?? .valid }
  var content: Any? { value }
}

extension Should: Sendable where Source.Value: Sendable {}

extension Should: Equatable where Source.Value: Equatable {
  /// True when the values are equal.
  public static func == (left: Should, right: Should) -> Bool { left.value == right.value }
}

extension Should: Hashable where Source.Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Should: Encodable where Source.Value: Encodable {
  /// Encodes the value; `nil` as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Should: Decodable where Source: RuleProvider, Source.Value: Decodable {
  /// Decodes a value. A value that breaks the rule becomes `nil`, unless the policy is to flag it.
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
  /// Decodes the value of a property with a rule given as an argument; see ``Must/decode(from:forKey:)``.
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
