internal import FreshStore

/// The places of the work under way, and who may take another one.
///
/// - No origin takes more than its share, and large bodies take half of all places, and of each share.
/// - Two origins alone never take all places, nor all for large bodies: others need not wait for a source
///   that hangs, although nothing is known of it yet. One whose share is all there is may.
/// - A source on trial is tried by one attempt at a time, and by a small one beside a large one, which may
///   take long; all sources on trial together have half of the places.
struct PlacesTaken: Sendable {
  /// The place of one job.
  struct Place: Sendable {
    let lane: RunProgress.Lane
    /// The name of the availability of its source.
    let availability: RunProgress.Account
    /// True where its source was on trial as it began.
    let isTrial: Bool
  }

  /// Jobs under way.
  private struct Count: Sendable {
    var all = 0
    /// Of them, those with large bodies.
    var large = 0
    var small: Int { all - large }

    mutating func add(_ number: Int, _ lane: RunProgress.Lane) {
      all += number
      if lane.isLarge { large += number }
    }
  }

  private let places: Int
  private let perOrigin: Int
  private var total = Count()
  private var trials = Count()
  private var origins: [ExactName: Count] = [:]
  private var sources: [RunProgress.Account: Count] = [:]

  init(of places: Int, perOrigin: Int) {
    (self.places, self.perOrigin) = (places, perOrigin)
  }

  /// The number of places taken.
  var count: Int { total.all }
  /// The same by origin.
  var byOrigin: [ExactName: Int] { origins.mapValues(\.all) }
  /// The names of the availabilities of the sources with work under way.
  var availabilities: [RunProgress.Account] { Array(sources.keys) }

  /// True when a place may be taken.
  func isFree(_ place: Place) -> Bool {
    let (lane, atOrigin) = (place.lane, origins[place.lane.account.origin] ?? Count())
    guard
      Self.isFree(
        taken: total.all, atOrigin: atOrigin.all, byOrigins: origins.count, of: places,
        perOrigin: perOrigin)
    else { return false }
    let half = (max(1, places / 2), max(1, perOrigin / 2))
    if lane.isLarge {
      let origins = self.origins.values.count { $0.large > 0 }
      guard
        Self.isFree(
          taken: total.large, atOrigin: atOrigin.large, byOrigins: origins, of: half.0,
          perOrigin: half.1)
      else { return false }
    }
    guard place.isTrial else { return true }
    let atSource = sources[place.availability] ?? Count()
    return lane.isLarge
      ? atOrigin.all + atSource.all == 0 && trials.large < max(1, half.0 / 2)
        && trials.all < half.0
      : atOrigin.small + atSource.small == 0 && trials.all < half.0
  }

  private static func isFree(
    taken: Int, atOrigin: Int, byOrigins origins: Int, of places: Int, perOrigin: Int
  ) -> Bool {
    guard taken < places, atOrigin < perOrigin else { return false }
    let isKept = taken + 1 == places && places > perOrigin && origins <= 2
    return !isKept || atOrigin == 0
  }

  mutating func take(_ place: Place) { add(1, place) }
  mutating func giveBack(_ place: Place) { add(-1, place) }

  private mutating func add(_ number: Int, _ place: Place) {
    let (lane, origin) = (place.lane, ExactName(place.lane.account.origin))
    total.add(number, lane)
    if place.isTrial { trials.add(number, lane) }
    origins[origin, default: Count()].add(number, lane)
    if origins[origin]?.all == 0 { origins[origin] = nil }
    sources[place.availability, default: Count()].add(number, lane)
    if sources[place.availability]?.all == 0 { sources[place.availability] = nil }
  }
}
