import Platform
import Synchronization

/// The shared knowledge of processes about their common source, in files that all of them have open: its
/// newest values, and those that every process has to see.
final class CrowdShelf: Sendable {
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

  private let path: String
  private let file: Int32
  private let fetchCount = Atomic<Int>(0)

  init(beside database: String) throws {
    path = database + "-shelf"
    file = try Self.open(path)
  }

  deinit { close(file) }

  var fetches: Int { fetchCount.load(ordering: .relaxed) }

  /// Zero before it was set.
  func number(at place: Place) throws -> Int64 {
    var number: Int64 = 0
    guard unsafe pread(file, &number, 8, off_t(place.offset)) >= 0 else {
      throw Failure(number: errno)
    }
    return number
  }

  func set(_ number: Int64, at place: Place) throws {
    let written = unsafe withUnsafeBytes(of: number) {
      unsafe pwrite(file, $0.baseAddress, 8, off_t(place.offset))
    }
    guard written == 8 else { throw Failure(number: errno) }
  }

  /// The newest value of a key; `nil` while another task is fetching it.
  func fetch(_ index: Int) throws -> Int64? {
    fetchCount.add(1, ordering: .relaxed)
    // A lock belongs to an open file: two fetches of this process exclude each other, too.
    let guardian = try Self.open("\(path)-\(index)")
    defer { close(guardian) }
    guard flock(guardian, LOCK_EX | LOCK_NB) == 0 else { return nil }
    return try number(at: .origin(index))
  }

  private static func open(_ path: String) throws -> Int32 {
    let file = unsafe Platform.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(number: errno) }
    return file
  }
}
