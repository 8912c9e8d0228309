/// The right to fetch one key, held by one owner until a deadline.
///
/// The fence grows with every lease and every invalidation: an owner whose lease was taken over, or
/// whose record was put or removed meanwhile, finds its fence gone and stores nothing. It also tells
/// which invalidations came after the fetch began.
struct Lease: Sendable, Hashable {
  let collection: String
  let key: String
  let owner: String
  let fence: Int64
}
