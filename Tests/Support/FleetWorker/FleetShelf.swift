import Platform

/// The knowledge that the processes of a test share about their common source.
///
/// Files that all processes have open hold:
///
/// - the source's values
/// - the values that a mark was acknowledged for
/// - a line for each fetch
final class FleetShelf: Sendable {
  enum Place {
    /// The source's value of a key.
    case origin(Int)
    /// The source's value when the last mark of the key was acknowledged.
    case acknowledged(Int)

    fileprivate var offset: Int {
      switch self {
      case .origin(let index): index * 16
      case .acknowledged(let index): index * 16 + 8
      }
    }
  }

  struct Failure: Error {
    let number: Int32
  }

  private let numbers: Int32
  private let fetches: Int32

  init(_ path: String) throws {
    numbers = try Self.open(path, O_RDWR)
    fetches = try Self.open(path + "-fetches", O_WRONLY | O_APPEND)
  }

  deinit {
    close(numbers)
    close(fetches)
  }

  /// Zero before it was set.
  func number(at place: Place) throws -> Int64 {
    var number: Int64 = 0
    guard unsafe pread(numbers, &number, 8, off_t(place.offset)) >= 0 else {
      throw Failure(number: errno)
    }
    return number
  }

  func set(_ number: Int64, at place: Place) throws {
    let written = unsafe withUnsafeBytes(of: number) {
      unsafe pwrite(numbers, $0.baseAddress, 8, off_t(place.offset))
    }
    guard written == 8 else { throw Failure(number: errno) }
  }

  /// In one write, so that lines of several processes never mix.
  func note(fetchOf key: String, by host: String) throws {
    let bytes = Array("\(key) \(host)\n".utf8)
    let written = unsafe bytes.withUnsafeBytes { unsafe write(fetches, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw Failure(number: errno) }
  }

  private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let file = unsafe Platform.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(number: errno) }
    return file
  }
}
