internal import Foundation
internal import NIOCore
internal import Synchronization

/// The answers of the origin, ready to be written, and the number of its requests.
final class OriginAnswers: Sendable {
  private let small: ByteBuffer
  private let medium: ByteBuffer
  private let large: ByteBuffer
  private let huge: ByteBuffer
  private let requests = Atomic<Int>(0)

  init() {
    let date = Self.date
    small = Self.answer(1 << 10, date)
    medium = Self.answer(1 << 20, date)
    large = Self.answer(8 << 20, date)
    huge = Self.answer(50_000_000, date)
  }

  /// The answer to a path, by the path's first letter:
  ///
  /// - `/medium`: 1 MiB
  /// - `/large`: 8 MiB
  /// - `/huge`: 50 MB
  /// - `/count`: the number of the other requests so far
  /// - any other path: 1 KiB
  func answer(to letter: UInt8) -> ByteBuffer {
    if letter == UInt8(ascii: "c") { return count() }
    requests.add(1, ordering: .relaxed)
    return switch letter {
    case UInt8(ascii: "m"): medium
    case UInt8(ascii: "l"): large
    case UInt8(ascii: "h"): huge
    default: small
    }
  }

  private func count() -> ByteBuffer {
    let text = "\(requests.load(ordering: .relaxed))"
    return ByteBuffer(
      string: "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  private static func answer(_ size: Int, _ date: String) -> ByteBuffer {
    var buffer = ByteBuffer(
      string: "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Type: text/plain\r\n"
        + "Cache-Control: max-age=86400\r\nContent-Length: \(size)\r\n\r\n")
    buffer.writeRepeatingByte(UInt8(ascii: "x"), count: size)
    return buffer
  }

  /// The moment of the start, as a header field has it.
  private static var date: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date.now)
  }
}
