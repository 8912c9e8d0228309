public import FreshStore

/// The laws that every codec must keep, checked over given values.
///
/// Each check returns its findings instead of failing, so that any test framework can use it:
/// `#expect(CodecLaws(values: samples).check(MyCodec()) == [])`.
public struct CodecLaws<Value: Sendable & Equatable>: Sendable {
  private let values: [Value]

  /// Creates the laws for these values; include empty, large and unusual ones.
  public init(values: [Value]) {
    self.values = values
  }

  /// Checks a codec against every law.
  public func check(_ codec: some Codec<Value>) -> [LawViolation] {
    checkIdentifier(of: codec) + values.flatMap { checkRoundTrip(of: $0, codec) }
  }

  private func checkIdentifier(of codec: some Codec<Value>) -> [LawViolation] {
    let name = codec.identifier
    var found: [LawViolation] = []
    if name.isEmpty {
      found.append(
        LawViolation(law: "the identifier is not empty", checked: name, observation: "it is"))
    }
    if !codec.reads(name) {
      found.append(
        LawViolation(
          law: "a codec reads what it wrote", checked: name, observation: "it refuses its own name")
      )
    }
    return found
  }

  private func checkRoundTrip(of value: Value, _ codec: some Codec<Value>) -> [LawViolation] {
    let law = "decoding gives back what was encoded"
    do {
      let bytes = try codec.encode(value)
      let again = try codec.decode(bytes)
      guard again != value else { return [] }
      return [
        LawViolation(law: law, checked: codec.identifier, observation: "\(value) became \(again)")
      ]
    } catch {
      return [
        LawViolation(law: law, checked: codec.identifier, observation: "\(value) threw \(error)")
      ]
    }
  }
}
