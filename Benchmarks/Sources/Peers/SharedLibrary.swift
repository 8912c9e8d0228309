internal import BenchmarkKit
internal import Glibc

/// A C library that is found at run time, where it is installed: nothing is linked.
struct SharedLibrary {
  private let handle: UInt
  private let name: String

  init(_ name: String) throws {
    guard let handle = unsafe dlopen(name, RTLD_NOW) else {
      throw BenchmarkFailure(words: "\(name) is not installed")
    }
    self.handle = UInt(bitPattern: handle)
    self.name = name
  }

  /// A function of it; the caller knows its type.
  func function<Function>(_ symbol: String) throws -> Function {
    guard let place = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: handle), symbol) else {
      throw BenchmarkFailure(words: "\(name) has no \(symbol)")
    }
    return unsafe unsafeBitCast(place, to: Function.self)
  }
}
