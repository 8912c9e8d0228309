#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Damage to files, as disks cause it. Only for files that no store has open: closing a descriptor
/// drops the locks a process holds on the file.
public enum FileChaos {
  /// Flips one bit.
  ///
  /// - Parameter bit: Counted from the start of the file; it must lie within it.
  public static func flip(bit: Int, ofFileAt path: String) throws {
    try change(path) { bytes in
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  /// Fills a range of bytes with noise.
  public static func fill(_ range: Range<Int>, ofFileAt path: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try change(path) { bytes in
      for offset in range { bytes[offset] = UInt8.random(in: 0...255, using: &generator) }
    }
  }

  /// Cuts the file off.
  public static func truncate(toBytes count: Int, fileAt path: String) throws {
    try change(path) { $0 = $0.prefix(count) }
  }

  private static func change(_ path: String, _ body: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: url)
    body(&bytes)
    try bytes.write(to: url)
  }
}
