internal import Strategies

/// The single description of a record's columns: the tables, the statements, the decoder, the checksum and the copy
/// below a local write derive from it.
///
/// A column that a later version of the schema adds needs a line here, ``ColumnVisitor/added(_:_:since:)``, and a
/// step, ``RecordColumns/step(to:)``, in ``DatabaseSchema/migrations``.
extension StoredRecord {
  /// Visits the columns in the order of the statements. The checksum covers all columns but itself. A
  /// visitor that only reads a column leaves its value unchanged.
  ///
  /// A put writes all of them. A field that is to outlive a put belongs to ``RecordContent``, or is carried over
  /// from the row before, as a pin is.
  mutating func visit(_ visitor: inout some ColumnVisitor) {
    visitor.identity(&content.collection, &content.key)
    visitor.flags("flags", &flags)
    visitor.integer("epoch", &epoch)
    visitor.integer("last_update", &storedLastUpdate)
    visitor.integer("expiry", &storedExpiry)
    visitor.integer("boot", &boot)
    visitor.integer("boot_stamp", &bootStamp)
    visitor.integer("stale_at", &storedMarkAt)
    visitor.text("stale_reason", &storedMarkReason)
    visitor.integer("stale_epoch", &storedMarkEpoch)
    visitor.text("codec", &content.codec)
    visitor.integer("content_version", &content.contentVersion)
    visitor.bytes("details", &content.storedDetails)
    visitor.integer("content_checksum", &contentChecksum)
    // Most records have none, and their checksums need no word for it.
    visitor.added("content", &storedContent, since: 1)
    visitor.checksum("checksum", &checksum)
  }

  private var storedLastUpdate: Int64? {
    get { content.lastUpdate?.millisecondsSinceEpoch }
    set { content.lastUpdate = newValue.map(Timestamp.init(millisecondsSinceEpoch:)) }
  }

  private var storedExpiry: Int64? {
    get { content.expiry.stored }
    set { content.expiry = Expiry(stored: newValue) }
  }

  /// The blocks of a value that lies in none of the columns.
  private var storedContent: Int64? {
    get { content.blocks?.id }
    set {
      guard newValue != content.blocks?.id else { return }
      content.place(in: newValue.map { ContentReference(id: $0) })
    }
  }

  /// The three columns of a mark; the first one shows whether there is one.
  private var storedMarkAt: Int64? {
    get { mark?.at.millisecondsSinceEpoch }
    set {
      guard let newValue else {
        mark = nil
        return
      }
      let at = Timestamp(millisecondsSinceEpoch: newValue)
      mark = Mark(at: at, reason: mark?.reason ?? "", epoch: mark?.epoch ?? 0)
    }
  }

  private var storedMarkReason: String? {
    get { mark?.reason }
    set { mark?.reason = newValue ?? "" }
  }

  private var storedMarkEpoch: Int64? {
    get { mark?.epoch }
    set { mark?.epoch = newValue ?? 0 }
  }
}

/// A visitor of a record's columns.
protocol ColumnVisitor {
  /// `collection` and `key`.
  mutating func identity(_ collection: inout String, _ key: inout String)
  mutating func flags(_ name: StaticString, _ value: inout Int64)
  mutating func integer(_ name: StaticString, _ value: inout Int64)
  mutating func integer(_ name: StaticString, _ value: inout Int64?)
  mutating func text(_ name: StaticString, _ value: inout String)
  mutating func text(_ name: StaticString, _ value: inout String?)
  mutating func bytes(_ name: StaticString, _ value: inout [UInt8]?)
  mutating func checksum(_ name: StaticString, _ value: inout Int64)
  /// A column that rows of an older version of the schema do not have. Their checksums must stay the same: a NULL
  /// is not included in the checksum.
  mutating func added(_ name: StaticString, _ value: inout Int64?, since version: Int)
  mutating func added(_ name: StaticString, _ value: inout String?, since version: Int)
}

extension ColumnVisitor {
  mutating func flags(_ name: StaticString, _ value: inout Int64) { integer(name, &value) }

  mutating func added(_ name: StaticString, _ value: inout Int64?, since _: Int) {
    integer(name, &value)
  }

  mutating func added(_ name: StaticString, _ value: inout String?, since _: Int) {
    text(name, &value)
  }
}

/// The columns as the text of statements.
package struct RecordColumns: ColumnVisitor {
  package private(set) var names: [String] = []
  private var declarations: [(text: String, version: Int)] = []

  /// All described columns, that is without `id`, the places in the queues and the value. In a new file the
  /// value is last: reading the others touches no overflow page
  /// (https://sqlite.org/fileformat2.html, section 1.6). Columns that are added lie behind it.
  package static let all: RecordColumns = {
    var columns = RecordColumns()
    var record = StoredRecord(
      content: RecordContent(collection: "", key: "", expiry: .unstated), kind: .value, epoch: 0)
    record.visit(&columns)
    return columns
  }()

  /// Their names, and their parameters, which ``RecordBinder`` binds, for the lists of an INSERT.
  static let list = all.names.joined(separator: ", ")
  static let parameters = (1...all.names.count).map { "?\($0)" }.joined(separator: ", ")
  /// The numbers of the next parameters.
  static let (first, second, third) = (
    all.names.count + 1, all.names.count + 2, all.names.count + 3
  )
  /// Takes all columns but the names from the excluded row.
  static let assignments = all.names.dropFirst(2).map { "\($0) = excluded.\($0)" }
    .joined(separator: ", ")

  mutating func identity(_: inout String, _: inout String) {
    add("collection", "TEXT NOT NULL")
    add("key", "TEXT NOT NULL")
  }

  mutating func integer(_ name: StaticString, _: inout Int64) { add(name, "INTEGER NOT NULL") }
  mutating func integer(_ name: StaticString, _: inout Int64?) { add(name, "INTEGER") }
  mutating func text(_ name: StaticString, _: inout String) { add(name, "TEXT NOT NULL") }
  mutating func text(_ name: StaticString, _: inout String?) { add(name, "TEXT") }
  mutating func bytes(_ name: StaticString, _: inout [UInt8]?) { add(name, "BLOB") }
  mutating func checksum(_ name: StaticString, _: inout Int64) { add(name, "INTEGER NOT NULL") }

  mutating func added(_ name: StaticString, _: inout Int64?, since version: Int) {
    add(name, "INTEGER", since: version)
  }

  mutating func added(_ name: StaticString, _: inout String?, since version: Int) {
    add(name, "TEXT", since: version)
  }

  private mutating func add(_ name: StaticString, _ type: String, since version: Int = 1) {
    names.append("\(name)")
    declarations.append(("\(name) \(type)", version))
  }

  /// The columns of the first version of the schema, for a table's definition.
  var definition: String {
    declarations.filter { $0.version == 1 }.map(\.text).joined(separator: ",\n  ")
  }

  /// The columns that a file of that version lacks.
  func names(after version: Int) -> [String] {
    zip(names, declarations).filter { $0.1.version > version }.map(\.0)
  }

  /// The step of the schema that adds the columns of a later version to both tables that have them.
  func step(to version: Int) -> String {
    declarations.filter { $0.version == version }.flatMap { column in
      ["record", "base"].map { "ALTER TABLE \($0) ADD COLUMN \(column.text);" }
    }.joined(separator: "\n")
  }
}

/// Reads the columns of a row. A NULL leaves the present value.
struct RecordReader: ColumnVisitor {
  let row: Statement.Row
  var column: Int32

  mutating func identity(_ collection: inout String, _ key: inout String) {
    text("collection", &collection)
    text("key", &key)
  }

  mutating func integer(_: StaticString, _ value: inout Int64) { value = row.int(next()) }

  mutating func integer(_: StaticString, _ value: inout Int64?) {
    guard let found = row.optionalInt(next()) else { return }
    value = found
  }

  mutating func text(_: StaticString, _ value: inout String) {
    let column = next()
    if !row.isNull(column) { value = row.text(column) }
  }

  mutating func text(_: StaticString, _ value: inout String?) {
    let column = next()
    if !row.isNull(column) { value = row.text(column) }
  }

  mutating func bytes(_: StaticString, _ value: inout [UInt8]?) {
    let column = next()
    if !row.isNull(column) { value = row.bytes(column) }
  }

  mutating func checksum(_: StaticString, _ value: inout Int64) { value = row.int(next()) }

  // In an older row it is NULL, even if a new record has another default.
  mutating func added(_: StaticString, _ value: inout Int64?, since _: Int) {
    value = row.optionalInt(next())
  }

  mutating func added(_: StaticString, _ value: inout String?, since _: Int) {
    let column = next()
    value = row.isNull(column) ? nil : row.text(column)
  }

  private mutating func next() -> Int32 {
    defer { column += 1 }
    return column
  }
}

/// Binds the columns as the parameters 1, 2 …; the caller that runs the statement lends the first
/// two, the names.
struct RecordBinder: ColumnVisitor {
  var parameters: Statement.Parameters
  /// The next parameter.
  private(set) var index: Int32 = 1

  init(_ parameters: Statement.Parameters) { self.parameters = parameters }

  mutating func identity(_: inout String, _: inout String) { index += 2 }
  mutating func integer(_: StaticString, _ value: inout Int64) { parameters.bind(value, next()) }
  mutating func integer(_: StaticString, _ value: inout Int64?) { parameters.bind(value, next()) }
  mutating func text(_: StaticString, _ value: inout String) { parameters.bind(value, next()) }
  mutating func text(_: StaticString, _ value: inout String?) { parameters.bind(value, next()) }
  mutating func bytes(_: StaticString, _ value: inout [UInt8]?) { parameters.bind(value, next()) }
  mutating func checksum(_: StaticString, _ value: inout Int64) { parameters.bind(value, next()) }

  private mutating func next() -> Int32 {
    defer { index += 1 }
    return index
  }
}

/// Computes the checksum of the columns.
struct RecordSum: ColumnVisitor {
  private var sum = Checksum()
  var checksum: Int64 { Int64(bitPattern: sum.value) }

  mutating func identity(_ collection: inout String, _ key: inout String) {
    sum.combine(collection)
    sum.combine(key)
  }

  /// Failures are recorded outside the row, which stays the same for a verdict.
  mutating func flags(_: StaticString, _ value: inout Int64) {
    sum.combine(value & ~RecordFlags.failing)
  }

  mutating func integer(_: StaticString, _ value: inout Int64) { sum.combine(value) }
  mutating func integer(_: StaticString, _ value: inout Int64?) { sum.combine(value) }
  mutating func text(_: StaticString, _ value: inout String) { sum.combine(value) }
  mutating func text(_: StaticString, _ value: inout String?) { sum.combine(value) }
  mutating func bytes(_: StaticString, _ value: inout [UInt8]?) { sum.combine(value) }
  mutating func checksum(_: StaticString, _: inout Int64) {}

  mutating func added(_: StaticString, _ value: inout Int64?, since _: Int) {
    if value != nil { sum.combine(value) }
  }

  mutating func added(_: StaticString, _ value: inout String?, since _: Int) {
    if value != nil { sum.combine(value) }
  }
}
