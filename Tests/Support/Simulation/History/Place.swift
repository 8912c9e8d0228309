import FreshStore
import Strategies

/// The records of a history: few, so that many events meet at each.
enum Place {
  /// The two collections. With `hasTwins` their names are the same text to Swift and differ in
  /// their bytes.
  static func collections(hasTwins: Bool) -> [String] {
    hasTwins ? ["caf\u{e9}", "cafe\u{301}"] : ["cafes", "coffees"]
  }

  /// The keys of each.
  static let keys = ["a1", "a\u{e9}", "ae\u{301}", "b"]
  /// The number of records.
  static let count = 2 * keys.count
  /// The list of each collection.
  static let list = "all"
  static let prefix = "a"

  static func collection(_ record: Int) -> Int { record / keys.count }
  static func key(_ record: Int) -> String { keys[record % keys.count] }
  static func records(of collection: Int) -> Range<Int> {
    collection * keys.count..<(collection + 1) * keys.count
  }

  /// The record of a key, by its bytes.
  static func record(_ collection: Int, _ key: String) -> Int? {
    keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }.map { collection * keys.count + $0 }
  }

  static func record(_ collection: String, _ key: String) -> Int? {
    [true, false].flatMap(collections).firstIndex { $0.utf8.elementsEqual(collection.utf8) }
      .flatMap { record($0 % 2, key) }
  }

  /// False for one of two keys that are the same text: an answer by keys has one place for both.
  static func isListable(_ record: Int) -> Bool { record % keys.count != 2 }

  static func isTagged(_ record: Int) -> Bool { record % 2 == 0 }
  static func tags(_ record: Int) -> Set<String> { isTagged(record) ? ["tag"] : [] }

  static func covers(_ scope: HistoryOperation.Scope, _ record: Int) -> Bool {
    switch scope {
    case .record(let own): own == record
    case .tag: isTagged(record)
    case .prefix(let collection):
      collection == self.collection(record) && key(record).hasPrefix(prefix)
    case .collection(let own): own == collection(record)
    }
  }

  static func words(_ record: Int) -> String {
    "record \(record) (\(collection(record))/\(record % keys.count))"
  }

  /// The lifetime of an edition, in milliseconds; `nil` for ever.
  static func lifetime(_ edition: Int) -> Int64? { [nil, 10_000, 2_000][edition % 3] }

  static func expiry(_ edition: Int) -> Expiry {
    lifetime(edition).map { .after(.milliseconds($0)) } ?? .never
  }

  /// The source's details of an edition beside its value.
  static func details(_ edition: Int, of record: Int) -> FetchDetails {
    FetchDetails(
      expiry: expiry(edition), validators: Validators(entityTag: tag(edition)),
      tags: tags(record))
  }

  static func tag(_ edition: Int) -> String { "\"\(edition)\"" }
}
