internal import FreshHTTP
internal import FreshStore
internal import Strategies

extension StoredAnswer {
  /// What the store keeps beside the content: for this gateway the whole head, and for all others, such as a
  /// sweep, a listing and `freshstore get`, what it says of its age and freshness.
  ///
  /// - Parameter origin: The origin of the address, whose groups become tags.
  func details(origin: String) -> FetchDetails {
    let lifetime = terms.mustAlwaysValidate ? .zero : terms.lifetime ?? .zero
    return FetchDetails(
      lastUpdate: receivedAt.advanced(by: .zero - initialAge),
      expiry: lifetime > .zero ? .after(lifetime) : .immediately,
      graceWhileRevalidating: terms.staleWhileRevalidate, graceOnError: terms.staleIfError,
      mustRevalidate: terms.forbidsStale,
      validators: Validators(
        entityTag: terms.validators.entityTag?.text, lastModified: terms.validators.lastModified),
      tags: Set(terms.groups.map { CacheGroups.tag($0, origin: origin) }),
      contentType: fields.first("Content-Type"), variant: selection.encoded, metadata: encoded)
  }
}
