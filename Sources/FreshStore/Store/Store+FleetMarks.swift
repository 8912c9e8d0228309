extension Store {
  /// Delivers the marks that were kept for the fleet, and takes in those that the host has missed.
  ///
  /// An open store does so by itself, from its beginning on and whenever the shared tier tells of news. A program that
  /// reads once and ends calls this first: until then the file holds what some process of the host took in last. Does
  /// nothing for a host alone.
  ///
  /// Cost: one round trip, and a write where there are marks.
  ///
  /// - Throws: `sharedTier` where the shared tier does not answer; or the error of the file.
  public func takeInFleetMarks() async throws(StoreError) {
    guard let fleet else { return }
    try await deliverMarks(to: fleet)
    try await catchUp(with: fleet)
  }
}
