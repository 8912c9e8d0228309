/// Finds slots by hashes: open addressing, one probe for most.
struct SlotTable: Sendable {
  private static let empty: Int32 = -1

  private struct Place: Sendable {
    var hash: UInt32
    var slot: Int32
  }

  private var places = [Place](repeating: Place(hash: 0, slot: Self.empty), count: 16)
  private(set) var count = 0
  private var mask: Int { places.count - 1 }

  /// The slot with that hash that satisfies `matches`.
  @inline(__always)
  func slot(hash: UInt32, where matches: (Int32) -> Bool) -> Int32? {
    var position = Int(hash) & mask
    while places[position].slot != Self.empty {
      let place = places[position]
      if place.hash == hash, matches(place.slot) { return place.slot }
      position = (position + 1) & mask
    }
    return nil
  }

  /// Adds a slot that is not in the table.
  mutating func insert(_ slot: Int32, hash: UInt32) {
    if (count + 1) * 5 > places.count * 4 { grow() }
    place(Place(hash: hash, slot: slot))
    count += 1
  }

  /// Removes a slot; one that is not in the table is ignored.
  mutating func remove(_ slot: Int32, hash: UInt32) {
    var hole = Int(hash) & mask
    while places[hole].slot != slot {
      guard places[hole].slot != Self.empty else { return }
      hole = (hole + 1) & mask
    }
    count -= 1
    // Later entries move up, unless they would then precede their home position.
    var next = (hole + 1) & mask
    while places[next].slot != Self.empty {
      let home = Int(places[next].hash) & mask
      if (next - home) & mask >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole].slot = Self.empty
  }

  private mutating func grow() {
    let old = places
    places = [Place](repeating: Place(hash: 0, slot: Self.empty), count: old.count * 2)
    for entry in old where entry.slot != Self.empty { place(entry) }
  }

  private mutating func place(_ entry: Place) {
    var position = Int(entry.hash) & mask
    while places[position].slot != Self.empty { position = (position + 1) & mask }
    places[position] = entry
  }
}
