import FreshStoreTesting

extension SeededGenerator {
  /// Text of pieces that mean something to a parser, and of any bytes.
  mutating func text(of pieces: [String]) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...12, using: &self) {
      if Int.random(in: 0..<4, using: &self) == 0 {
        bytes.append(UInt8.random(in: .min ... .max, using: &self))
      } else {
        bytes += (pieces.randomElement(using: &self) ?? "").utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
