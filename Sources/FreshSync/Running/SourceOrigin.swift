internal import FreshStore

/// The origin of a record, by which limits and pauses are counted.
enum SourceOrigin {
  /// The origin a policy names, else that of a URL source, else the collection.
  static func name(policy: Origin?, source: String?, collection: String) -> String {
    (policy ?? source.flatMap(Origin.init(url:)))?.name ?? collection
  }
}
