internal import Foundation

/// The traces of the study; `make` builds one for a cache of a given size.
enum TraceKind: String, CaseIterable {
  case zipf099 = "Zipf 0.99"
  case zipf080 = "Zipf 0.8"
  case scan = "Zipf 0.99 + scan"
  case loop = "loop 1.2x"
  case lateLoop = "Zipf, then loop 1.2x"
  case loopMix = "loop 2x + Zipf"
  case shifting = "shifting Zipf"
  case uniform = "uniform"

  static let keyCount = 100_000
  static let warmUp = 1_000_000
  static let counted = 2_000_000
  static let scanLength = 1_000_000
  static let shiftEvery = 200_000

  /// - Parameters:
  ///   - entries: the number of mean entries that the cache holds; the loops depend on it.
  ///   - weighted: whether values weigh 64 B to 64 KiB (log-uniform) or 1.
  func make(entries: Int, weighted: Bool, seed: UInt64) -> Trace {
    var trace = Trace()
    var generator = SeededGenerator(seed: seed)
    trace.warmUp = Self.warmUp
    trace.requests.reserveCapacity(Self.warmUp + Self.counted + Self.scanLength)
    let universe = fill(&trace, entries: entries, using: &generator)
    trace.weights = (0..<universe).map { weighted ? Self.weight(of: $0) : 1 }
    return trace
  }

  /// The weight of a key depends on nothing but the key.
  static func weight(of key: Int) -> Int32 {
    var generator = SeededGenerator(seed: mixed(UInt64(key) &+ 77))
    return Int32(64 * exp2(generator.unit() * 10))
  }

  private func fill(
    _ trace: inout Trace, entries: Int, using generator: inout SeededGenerator
  ) -> Int {
    let keys = (0..<Int32(Self.keyCount)).shuffled(using: &generator)
    switch self {
    case .zipf099: return fillZipf(&trace, 0.99, keys, &generator)
    case .zipf080: return fillZipf(&trace, 0.8, keys, &generator)
    case .scan: return fillScan(&trace, keys, &generator)
    case .loop: return fillLoop(&trace, length: entries + entries / 5)
    case .lateLoop: return fillLateLoop(&trace, length: entries + entries / 5, keys, &generator)
    case .loopMix: return fillLoopMix(&trace, length: entries * 2, keys, &generator)
    case .shifting: return fillShifting(&trace, keys, &generator)
    case .uniform:
      trace.requests = (0..<Self.warmUp + Self.counted).map { _ in
        Int32(generator.below(Self.keyCount))
      }
      return Self.keyCount
    }
  }

  private func fillZipf(
    _ trace: inout Trace, _ exponent: Double, _ keys: [Int32], _ generator: inout SeededGenerator
  ) -> Int {
    let sampler = ZipfSampler(count: keys.count, exponent: exponent)
    for _ in 0..<Self.warmUp + Self.counted {
      trace.requests.append(keys[sampler.rank(using: &generator)])
    }
    return keys.count
  }

  /// The scan takes every other request from a quarter of the counted part on.
  private func fillScan(
    _ trace: inout Trace, _ keys: [Int32], _ generator: inout SeededGenerator
  ) -> Int {
    let sampler = ZipfSampler(count: keys.count, exponent: 0.99)
    let start = Self.warmUp + Self.counted / 4
    for step in 0..<Self.warmUp + Self.counted {
      trace.requests.append(keys[sampler.rank(using: &generator)])
      if step >= start, step < start + Self.scanLength {
        trace.requests.append(Int32(keys.count + step - start))
      }
    }
    trace.firstUncountedKey = Int32(keys.count)
    return keys.count + Self.scanLength
  }

  private func fillLoop(_ trace: inout Trace, length: Int) -> Int {
    trace.requests = (0..<Self.warmUp + Self.counted).map { Int32($0 % length) }
    return length
  }

  /// The first half of the warm-up is Zipf 0.99, all the rest is a loop over other keys.
  private func fillLateLoop(
    _ trace: inout Trace, length: Int, _ keys: [Int32], _ generator: inout SeededGenerator
  ) -> Int {
    let sampler = ZipfSampler(count: keys.count, exponent: 0.99)
    for _ in 0..<Self.warmUp / 2 {
      trace.requests.append(keys[sampler.rank(using: &generator)])
    }
    for step in 0..<Self.warmUp / 2 + Self.counted {
      trace.requests.append(Int32(keys.count + step % length))
    }
    return keys.count + length
  }

  /// Every request is one of the loop or one of Zipf 0.99, by the toss of a coin.
  private func fillLoopMix(
    _ trace: inout Trace, length: Int, _ keys: [Int32], _ generator: inout SeededGenerator
  ) -> Int {
    let sampler = ZipfSampler(count: keys.count, exponent: 0.99)
    var position = 0
    for _ in 0..<Self.warmUp + Self.counted {
      if generator.next() & 1 == 0 {
        trace.requests.append(keys[sampler.rank(using: &generator)])
      } else {
        trace.requests.append(Int32(keys.count + position))
        position = (position + 1) % length
      }
    }
    return keys.count + length
  }

  private func fillShifting(
    _ trace: inout Trace, _ keys: [Int32], _ generator: inout SeededGenerator
  ) -> Int {
    let sampler = ZipfSampler(count: keys.count, exponent: 0.99)
    for step in 0..<Self.warmUp + Self.counted {
      // A prime near a third of the keys: no hot set returns during the study.
      let shift = step / Self.shiftEvery * 31_337
      let rank = sampler.rank(using: &generator)
      trace.requests.append(keys[(rank + shift) % keys.count])
    }
    return keys.count
  }
}
