internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// Counts fetches in a file, to which every process appends one byte for each of its own.
struct FetchCounter: Sendable {
  private let path: String

  init(at path: String) {
    self.path = path
  }

  /// Resets the count.
  func reset() {
    unsafe unlink(path)
  }

  func add() throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchmarkFailure(words: "\(path) cannot be opened") }
    defer { close(descriptor) }
    var byte: UInt8 = 1
    guard unsafe write(descriptor, &byte, 1) == 1 else {
      throw BenchmarkFailure(words: "\(path) cannot be written")
    }
  }

  var count: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
