/// The times at which a host's name is looked up without an announcement by the kernel.
///
/// A monitor's state may rest on a name service that was not there yet, or on the addresses of
/// another network; the end of neither is announced. So as long as the name has no address, or its
/// addresses are out of reach, it is looked up again and again, at first after a second and then
/// less often, but at least once a minute.
struct LookupSchedule {
  private let first: Duration
  private let longest: Duration
  private var count = 0

  /// The moment of the next lookup; `nil` when none is due.
  private(set) var due: ContinuousClock.Instant?

  init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.first = first
    self.longest = longest
  }

  /// Takes the next lookup if it is due; `isSettled` while the present findings need none.
  mutating func take(isSettled: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard !isSettled else {
      (count, due) = (0, nil)
      return false
    }
    guard let due else {
      self.due = now + pause
      return false
    }
    guard now >= due else { return false }
    count += 1
    self.due = now + pause
    return true
  }

  /// Restarts with short pauses: another network, another name service.
  mutating func restart() { (count, due) = (0, nil) }

  private var pause: Duration {
    // A minute is reached long before the shift could overflow.
    min(first * (1 << min(count, 16)), longest)
  }
}
