internal import BenchmarkKit
internal import Glibc

/// An environment of LMDB with one database, and one read transaction that is renewed for each read.
@safe
final class LMDBFile {
  /// `MDB_NOSYNC`: a commit does not wait for the disk.
  private static let withoutSync: UInt32 = 0x10000
  private static let readOnly: UInt32 = 0x20000
  private let library: LMDBLibrary
  private let environment: UInt
  private let database: UInt32
  private let reading: UInt
  /// The size and the place of a key, then those of a value: two `MDB_val`.
  private let words: UnsafeMutablePointer<UInt>

  /// Opens a file in a folder, which is made when it is missing.
  init(_ library: LMDBLibrary, in folder: String) throws {
    self.library = library
    let words = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
    unsafe words.initialize(repeating: 0, count: 4)
    unsafe self.words = words
    try Self.check(unsafe library.createEnvironment(words))
    let environment = unsafe words[0]
    try Self.check(library.setMapSize(environment, 4 << 30))
    try Self.check(unsafe library.open(environment, folder, Self.withoutSync, 0o600))
    try Self.check(unsafe library.begin(environment, 0, 0, words))
    var database: UInt32 = 0
    try Self.check(unsafe library.openDatabase(words[0], nil, 0, &database))
    try Self.check(library.commit(unsafe words[0]))
    try Self.check(unsafe library.begin(environment, 0, Self.readOnly, words))
    reading = unsafe words[0]
    library.reset(reading)
    (self.environment, self.database) = (environment, database)
  }

  deinit {
    library.abort(reading)
    library.close(environment)
    unsafe words.deallocate()
  }

  /// Reads a record in a transaction of its own and passes its bytes on, which are only lent;
  /// without a record it returns so low a number that no sum outweighs it.
  func read(_ key: String, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    guard library.renew(reading) == 0 else { return -1_000_000_000_000 }
    defer { library.reset(reading) }
    var key = key
    return key.withUTF8 { bytes in
      unsafe words[0] = UInt(bytes.count)
      unsafe words[1] = UInt(bitPattern: bytes.baseAddress)
      guard unsafe library.get(reading, database, words, words + 2) == 0 else {
        return -1_000_000_000_000
      }
      return unsafe body(
        UnsafeRawBufferPointer(
          start: UnsafeRawPointer(bitPattern: words[3]), count: Int(words[2])))
    }
  }

  /// One transaction around some writes, each of which gets it.
  func write(_ body: (_ transaction: UInt) throws -> Void) throws {
    try Self.check(unsafe library.begin(environment, 0, 0, words))
    let transaction = unsafe words[0]
    try body(transaction)
    try Self.check(library.commit(transaction))
  }

  func put(_ key: String, _ value: [UInt8], _ transaction: UInt) throws {
    var key = key
    let code = key.withUTF8 { bytes in
      unsafe value.withUnsafeBytes { blob in
        unsafe words[0] = UInt(bytes.count)
        unsafe words[1] = UInt(bitPattern: bytes.baseAddress)
        unsafe words[2] = UInt(blob.count)
        unsafe words[3] = UInt(bitPattern: blob.baseAddress)
        return unsafe library.put(transaction, database, words, words + 2, 0)
      }
    }
    try Self.check(code)
  }

  private static func check(_ code: Int32) throws {
    guard code == 0 else { throw BenchmarkFailure(words: "LMDB answered \(code)") }
  }
}
