/// A property whose value keeps a rule: it rejects an assigned value that breaks the rule.
///
/// ```swift
/// @Must(.atLeast(0)) var amount = 1
/// amount = -1             // amount is 1
/// $amount.rejected?.value // -1
/// amount = 5              // amount is 5
/// ```
///
/// It is a value: a copy shares nothing with it. A declared value that breaks the rule is kept, and the projected
/// value says so. The same holds for the first value of a property without a declared one. Until then an optional
/// property is `nil`:
///
/// ```swift
/// struct Order {
///   @Must(.atLeast(0)) var amount: Int
///   init(amount: Int) { self.amount = amount }
/// }
/// ```
///
/// Two are equal when their values are.
///
/// Decodable with a rule that is a type, as `@Must<NotNegative> var amount: Int`; see ``RuleProvider``. Not
/// decodable with a rule given as an argument, because decoding would lose that rule. The compiler then says that
/// it cannot synthesize `Decodable` because `Must<Rule<Int>>` does not conform to `Decodable`. Declare the rule as
/// a type, or read the property by ``decode(from:forKey:)`` in an `init(from:)` of your own.
@propertyWrapper public struct Must<Source: RuleSource> {
  @usableFromInline let source: Source
  @usableFromInline let policy: AssignmentPolicy
  /// `nil` until the first assignment to a property without a declared value.
  @usableFromInline var value: Source.Value?
  @usableFromInline var rejected: Rejection<Source.Value>?
  @usableFromInline var marks: [Int] = []

  /// Creates a property with a rule given as an argument.
  public init<Value>(
    wrappedValue: Value, _ rule: Rule<Value>, policy: AssignmentPolicy = .reject
  ) where Source == Rule<Value> {
    self.init(rule, policy, wrappedValue)
  }

  /// Creates a property with a rule given as an argument and without a value: set it in `init`.
  public init<Value>(
    _ rule: Rule<Value>, policy: AssignmentPolicy = .reject
  ) where Source == Rule<Value> {
    self.init(rule, policy, Self.implicitValue)
  }

  /// Creates a property with a rule that is a type.
  public init(wrappedValue: Source.Value) where Source: RuleProvider {
    self.init(Source(), Source.policy ?? .reject, wrappedValue)
  }

  @inlinable init(_ source: Source, _ policy: AssignmentPolicy, _ value: Source.Value?) {
    self.source = source
    self.policy = policy
    self.value = value
  }

  /// The value. Setting a value that breaks the rule applies the policy. Costs a check.
  public var wrappedValue: Source.Value {
    @inlinable get { value ?? missingValue }
    set {
      let report = source.rule.check(newValue)
      rejected = nil
      guard !report.isValid, value != nil else {
        value = newValue
        return
      }
      AssignmentFindings.current?.note(report, &marks)
      if policy == .flag {
        value = newValue
      } else {
        rejected = Rejection(value: newValue, report: report)
      }
    }
  }

  /// Without a value the program cannot go on, as with any property that is read before it is set.
  @usableFromInline var missingValue: Source.Value {
    preconditionFailure("a @Must property without a declared value was read before it was set")
  }

  /// The first value of a property without a declared one: `nil` where it is an optional.
  private static var implicitValue: Source.Value? {
    let absent = (Source.Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ())
    return absent as? Source.Value
  }

  /// The rule's verdict on the value; costs a check.
  public var projectedValue: PropertyVerdict<Source.Value> {
    PropertyVerdict(rule: source.rule, report: presentReport, rejected: rejected)
  }
}

extension Must: RuledProperty {
  var presentReport: Report { source.rule.check(wrappedValue) }
  var content: Any? { wrappedValue }
}

extension Must: Sendable where Source.Value: Sendable {}

extension Must: Equatable where Source.Value: Equatable {
  /// True when the values are equal.
  public static func == (left: Must, right: Must) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension Must: Hashable where Source.Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

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
  /// Decodes the value of a property with a rule given as an argument, in a hand-written `init(from:)`.
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
