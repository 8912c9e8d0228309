/// Random numbers that come again with the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

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
