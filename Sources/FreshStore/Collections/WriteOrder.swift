/// The order in which a write reaches the source and the store.
public enum WriteOrder: Sendable, Hashable, CaseIterable {
  /// The source only; the store is not touched.
  case bypass
  /// The store only; the source is not asked.
  case cacheOnly
  /// The source, then the store with the source's version. When the store fails, the source keeps
  /// the change.
  case sourceFirst
  /// The store, then the source with the same value. When the source fails, the store keeps it.
  case cacheFirst

  var asksFirst: Bool { self == .bypass || self == .sourceFirst }
  var storesFirst: Bool { self == .cacheOnly || self == .cacheFirst }
}
