internal import Platform
internal import Strategies

/// Reads a fresh copy, for a program that asks for one and ends.
///
/// The file is opened as a store opens it, with every check, and a store's gate judges the record. But there is
/// only one connection, and nothing is prepared for a second read, a write or a fetch. A store does any open with
/// more work than reading, as with a damaged file.
package enum FreshCopy {
  /// The bytes stored under a key, while they are fresh whether or not their source can be reached; `nil`
  /// for anything else.
  ///
  /// The result equals the result of a store of the standard configuration with a policy that ignores reachability.
  /// It also equals the result of any other policy without a hard end: a record fresh by its age is fresh offline
  /// as well.
  ///
  /// - Throws: The error of the file. The file is closed, and the caller may ask a store instead.
  package static func bytes(
    of key: String, in collection: String, at path: String,
    accepts: (RecordContent) -> Bool = { _ in true }
  ) throws(StoreError) -> [UInt8]? {
    let configuration = Configuration(reachability: .fixed(.online))
    let file = DatabaseFile(
      path: PathName.absolute(path), access: .readWrite,
      busyTimeout: configuration.busyTimeout, maximumSize: configuration.maximumSize)
    guard file.identity != nil, file.isSalvaged else { return nil }
    var connection: Connection? = try file.openChecked()
    let identity = file.identity
    defer { file.closeConnection(&connection, of: identity) }
    let record: StoredRecord?
    do throws(SQLiteError) {
      switch connection {
      case .some(let opened):
        record = try opened.record(of: key, in: collection, isUncovered: false, joins: true)?.record
      case .none: record = nil
      }
    } catch {
      throw StoreError(error, .read, path: file.path)
    }
    guard let record, isFresh(record, configuration), record.content.contentVersion == 0,
      accepts(record.content)
    else { return nil }
    return record.content.value ?? []
  }

  private static func isFresh(_ record: StoredRecord, _ configuration: Configuration) -> Bool {
    var policy = Policy()
    policy.reachability = .ignore
    let question = Gate.Question(
      collection: record.content.collection, key: record.content.key,
      record: JudgedRecord(record, coveringMark: nil))
    let now = configuration.clock.reading()
    return Gate(configuration).decide(question, policy: policy, now: now).outcome == .fresh
  }
}
