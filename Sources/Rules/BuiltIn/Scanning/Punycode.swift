/// The ASCII form of international labels (RFC 3492); its parameters are those of section 5.
enum Punycode {
  /// The length of the ASCII form of these scalars, of which at least one is not ASCII, without the
  /// prefix `xn--`. Quadratic in the number of scalars: for labels, of at most 63.
  static func length(of scalars: [UInt32]) -> Int {
    let basic = scalars.count { $0 < 0x80 }
    var length = basic == 0 ? 0 : basic + 1
    var (handled, delta, bias, floor) = (basic, 0, 72, UInt32(0x80))
    while let least = scalars.lazy.filter({ $0 >= floor }).min() {
      delta += Int(least - floor) * (handled + 1)
      floor = least
      for scalar in scalars {
        if scalar < floor { delta += 1 }
        guard scalar == floor else { continue }
        length += digits(of: delta, bias)
        bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      floor += 1
    }
    return length
  }

  private static func digits(of delta: Int, _ bias: Int) -> Int {
    var (rest, position, count) = (delta, 36, 1)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return count }
      rest = (rest - threshold) / (36 - threshold)
      position += 36
      count += 1
    }
  }

  private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / points
    var position = 0
    while delta > 455 {
      delta /= 35
      position += 36
    }
    return position + 36 * delta / (delta + 38)
  }
}
