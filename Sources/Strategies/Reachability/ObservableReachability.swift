/// A provider that also tells when its state changes, so that nobody has to ask again and again.
///
/// Whoever waits for the network takes any ``ReachabilityProvider`` and looks for this refinement;
/// one that does not have it is asked at intervals.
public protocol ObservableReachability: ReachabilityProvider {
  /// The states, one after the other.
  associatedtype Changes: AsyncSequence & Sendable
  where Changes.Element == Reachability, Changes.Failure == Never

  /// The present state and then each change: offline at once, anything better when it has held for
  /// `settle`. A reader who is late may get the newest state only. A sequence that ends says that
  /// nothing can tell of changes any more.
  func changes(settle: Duration) -> Changes
}
