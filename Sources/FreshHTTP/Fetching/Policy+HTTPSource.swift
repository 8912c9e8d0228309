#if HTTP
  public import FreshStore

  extension Policy {
    /// This policy for a collection that is fetched with a source: a copy is served only if it also answers the
    /// source's requests, so that what was fetched with one user's credentials answers no other's
    /// (``HTTPSource/selects(variant:)``).
    ///
    /// ```swift
    /// let pages = try store.bytes("pages", policy: .cacheFirst.from(web))
    /// ```
    public func from(_ source: HTTPSource) -> Policy { from(source.configuration) }
  }
#endif
