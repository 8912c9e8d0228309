/// The files that an input makes from those of ``StoreTemplate/filled``.
///
/// The first byte selects the kind of the input:
///
/// - `d`: the rest of the input is the database, without a log
/// - `l`: the rest is the log of the template's database
/// - `p`: the rest is a list of patches
/// - `m`: the same, and then the checksums of the log are mended
///
/// A patch is a letter and a place. A count of one byte follows, except for cuts. So many bytes
/// follow the count, except for zeros. The place has three bytes, the highest first, and wraps
/// around at the end of the file. The letters:
///
/// - `d`: writes the bytes into the database
/// - `w`: writes the bytes into the log
/// - `z`: writes 16 times as many zeros into the database
/// - `c`: truncates the database
/// - `u`: truncates the log
/// - `s`: makes the shared memory from the bytes
struct DamagedStore {
  /// The bytes of each file, by name.
  private(set) var files: [String: [UInt8]]

  static let database = "store.db"
  static let log = "store.db-wal"
  private static let index = "store.db-shm"

  init(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    files = StoreTemplate.filled.files
    switch input.first {
    case UInt8(ascii: "d"):
      files = [Self.database: rest]
      isOfTemplate = false
    case UInt8(ascii: "l"): files[Self.log] = rest
    case UInt8(ascii: "m"):
      patch(rest)
      files[Self.log].map { log in
        var log = log
        LogChecksums.mend(&log)
        files[Self.log] = log
      }
    default: patch(rest)
    }
  }

  var bytes: [UInt8] { files[Self.database] ?? [] }
  var hasLog: Bool { files[Self.log]?.isEmpty == false }

  /// False where SQLite tries for ten seconds to read a log past an index that no process has open:
  /// it waits for a writer to finish the head of the log (walBeginShmUnreliable in wal.c).
  var isLookedAtQuickly: Bool {
    files[Self.index] == nil || LogChecksums.isHeadWhole(files[Self.log] ?? [])
  }

  /// True when the first bytes are not those of a store, and nothing in a log says otherwise.
  var isForeign: Bool {
    guard !hasLog, !bytes.isEmpty else { return false }
    guard isDatabase else { return true }
    return isOfAnother
  }

  /// True when the first bytes are those of another program's database.
  var isOfAnother: Bool {
    isDatabase && bytes[68..<72] != StoreTemplate.empty[68..<72] && bytes[68..<72] != [0, 0, 0, 0]
  }

  /// True when the first bytes are those of a store.
  var isStore: Bool { isDatabase && bytes[68..<72] == StoreTemplate.empty[68..<72] }

  private var isDatabase: Bool {
    bytes.count >= 100 && bytes.starts(with: "SQLite format 3\0".utf8)
  }

  /// True when it contains any part of the template.
  private(set) var isOfTemplate = true

  private mutating func patch(_ list: [UInt8]) {
    var reader = InputReader(list)
    while !reader.isAtEnd {
      let kind = reader.byte()
      let place = reader.number(3)
      switch kind {
      case UInt8(ascii: "c"): cut(Self.database, to: place)
      case UInt8(ascii: "u"): cut(Self.log, to: place)
      case UInt8(ascii: "s"): files[Self.index] = reader.bytes(Int(reader.byte()))
      case UInt8(ascii: "z"):
        write([UInt8](repeating: 0, count: 16 * Int(reader.byte())), to: Self.database, at: place)
      case UInt8(ascii: "w"): write(reader.bytes(Int(reader.byte())), to: Self.log, at: place)
      default: write(reader.bytes(Int(reader.byte())), to: Self.database, at: place)
      }
    }
  }

  private mutating func cut(_ name: String, to count: Int) {
    files[name].map { files[name] = Array($0.prefix(count % ($0.count + 1))) }
  }

  private mutating func write(_ bytes: [UInt8], to name: String, at place: Int) {
    guard let file = files[name], !file.isEmpty else { return }
    let start = place % file.count
    let end = min(file.count, start + bytes.count)
    files[name]?.replaceSubrange(start..<end, with: bytes.prefix(end - start))
  }
}
