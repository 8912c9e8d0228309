/// The place of an entry in its queue, and the data to evict it. 16 bytes, so that relinking
/// touches one cache line for each entry.
struct EvictionNode {
  var next: Int32
  var previous: Int32
  var bytes: UInt32
  var fingerprint: UInt32
}
