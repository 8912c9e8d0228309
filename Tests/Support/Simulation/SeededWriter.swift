import FreshStoreTesting

/// A writer whose decisions come from a seed.
protocol SeededWriter {
  var generator: SeededGenerator { get set }
}

extension SeededWriter {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }
}
