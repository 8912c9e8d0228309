internal import BenchmarkKit
internal import Foundation
internal import RawMalloc

/// The memory of this process.
enum Heap {
  /// Bytes that are allocated, in all arenas and beside them.
  static var bytes: Int {
    let information = mallinfo2()
    return Int(information.uordblks + information.hblkhd)
  }

  /// Bytes that lie in memory.
  static var residentBytes: Int {
    // A system without the file has no such figure.
    let words = Machine.value(of: "VmRSS", in: "/proc/self/status") ?? "0"
    return (Int(words.split(separator: " ").first ?? "0") ?? 0) * 1024
  }
}
