internal import FreshStore

/// The origin of a record, by which limits and pauses are counted.
enum SourceOrigin {
  /// The origin a policy names, else that of a URL source, else the collection.
  static func name(policy: Origin?, address: String?, collection: String) -> String {
    (policy ?? address.flatMap(Origin.init(url:)))?.name ?? collection
  }
}
