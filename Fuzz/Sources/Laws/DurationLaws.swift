import ArgumentParser
import Strategies

@testable import Command

/// The laws that reading durations and sizes on the command line keeps for any text.
struct DurationLaws {
  let text: String

  /// The laws for bytes as the text of an option.
  static func check(_ input: [UInt8]) {
    DurationLaws(text: String(decoding: input, as: UTF8.self)).check()
  }

  private func check() {
    checkDurations()
    checkSize()
    checkPrinting()
  }

  // MARK: Durations

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000),
  ]

  private func checkDurations() {
    let span = read(DurationText.span)
    law("the same text is the same span", read(DurationText.span) == span)
    law("a span is the number times the unit", span == reference)
    if let span {
      law("a span is not negative", span >= .zero)
      law("a span is no longer than what a store keeps", span <= .milliseconds(Self.longest))
      law("a span is written in ASCII", text.utf8.allSatisfy { $0 < 0x80 })
    }
    let positive = read(DurationText.positive)
    law("a positive span is one that is not zero", positive == (span == .zero ? nil : span))
    let expiry: Expiry? =
      if text == "never" { .never } else { span.map { $0 == .zero ? .immediately : .after($0) } }
    law("an expiry is a span, or never", read(DurationText.expiry) == expiry)
  }

  /// The longest span that a store keeps, in milliseconds.
  private static let longest: Int64 = 1_000_000_000_000_000

  /// The span by arithmetic that cannot overflow: a number alone is one of seconds; otherwise each has a
  /// unit, and the units fall.
  private var reference: Duration? {
    var rest = Array(text.utf8)[...]
    guard !rest.isEmpty else { return nil }
    if rest.allSatisfy(Self.isDigit) { rest += Array("s".utf8) }
    var total: Int128 = 0
    var last = Int64.max
    while !rest.isEmpty {
      let digits = rest.prefix(while: Self.isDigit)
      let name = rest.dropFirst(digits.count).prefix { !Self.isDigit($0) }
      rest = rest.dropFirst(digits.count + name.count)
      guard !digits.isEmpty,
        let unit = Self.units.first(where: { $0.name.utf8.elementsEqual(name) }),
        unit.milliseconds < last
      else { return nil }
      last = unit.milliseconds
      let number = digits.drop { $0 == UInt8(ascii: "0") }
      guard number.count <= 16 else { return nil }
      let value = number.reduce(Int128(0)) { $0 * 10 + Int128($1 - UInt8(ascii: "0")) }
      total += value * Int128(unit.milliseconds)
    }
    return total <= Int128(Self.longest) ? .milliseconds(Int64(total)) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  // MARK: Sizes

  private func checkSize() {
    let size = read(SizeText.parse)
    law("the same text is the same size", read(SizeText.parse) == size)
    let valueSize = read(SizeText.valueSize)
    law("the size of a value is a size", valueSize == nil || valueSize == size)
    guard let size else { return }
    law("a size is not negative", size >= 0)
    law("a size is written in ASCII", text.utf8.allSatisfy { $0 < 0x80 })
    let digits = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let number = digits.reduce(Double(0)) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
    let shift: [UInt8: Int] = [
      UInt8(ascii: "k"): 10, UInt8(ascii: "m"): 20, UInt8(ascii: "g"): 30, UInt8(ascii: "t"): 40,
    ]
    let unit = text.utf8.dropFirst(digits.count).first.flatMap { shift[$0 | 0x20] } ?? 0
    // Doubles are exact to 53 bits, which is near enough to detect another number.
    let expected = number * Double(1 << unit)
    law("a size is the number times the unit", abs(Double(size) - expected) <= expected * 1e-12)
  }

  // MARK: Printing

  private func checkPrinting() {
    let printed = Console.printable(text)
    law("what is printed stays as it is", Console.printable(printed) == printed)
    law(
      "a character is printed as one",
      printed.unicodeScalars.count == text.unicodeScalars.count)
    law("what is printed does nothing to a terminal", printed.isHarmless)
  }

  private func read<Value>(_ parse: (String) throws -> Value) -> Value? {
    do {
      return try parse(text)
    } catch let error as ValidationError {
      law("an error says something", !error.message.isEmpty)
      law("an error does nothing to a terminal", error.message.isHarmless)
      return nil
    } catch {
      law("a refusal is one of the command's", false)
      return nil
    }
  }
}
