/// What a flight holds of the fleet while it asks the source.
struct FleetPart: Sendable {
  /// `nil` for a host alone.
  var fleet: FleetMember?
  /// The fleet's leases, by key.
  var leases: [String: SharedLease] = [:]
  /// When the host heard of them; `nil` without leases.
  var heard: ClockReading?
  /// The reason why the host goes on alone; `nil` when it does not.
  var obstacle: StoreError?

  /// True where there is nothing to be kept.
  var isNone: Bool { fleet == nil || leases.isEmpty }

  /// A host without a fleet.
  static let none = FleetPart()

  /// Moves the ends of the leases during a long fetch, until the task is cancelled. An error loses nothing: the next
  /// round tries again, and a lease that has ended costs a second fetch.
  func keep(for duration: Duration, on clock: any StoreClock) async {
    guard let fleet, !leases.isEmpty else { return }
    while !Task.isCancelled {
      do {
        try await clock.sleep(for: duration / 3)
      } catch {
        return
      }
      do throws(SharedTierError) {
        _ = try await fleet.tier.extend(inOrder, for: duration)
      } catch {
        // The landing will tell.
      }
    }
  }

  /// Gives leases back, and waits for nothing.
  func release(
    _ released: [SharedLease], pausing pause: SharedPause? = nil, reporting store: Store
  ) {
    guard let fleet, !released.isEmpty else { return }
    fleet.call {
      do throws(SharedTierError) {
        try await fleet.tier.release(released, pausing: pause)
      } catch {
        // They end by themselves.
        store.report(.wentAlone(error))
      }
    }
  }

  /// Gives all leases back.
  func releaseAll(reporting store: Store) { release(inOrder, reporting: store) }

  private var inOrder: [SharedLease] { leases.sorted { $0.key < $1.key }.map(\.value) }
}
