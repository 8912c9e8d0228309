#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Ends the pauses of keys, and takes nobody's lease.
    public func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
      for key in keys { try key.check() }
      // In one order for all, so that two calls never wait for each other.
      for part in keys.sorted(by: { $0.precedes($1) }).parts(atMost: PartLimit.keys) {
        let step = Step(
          Self.endKeyPauses, .bytes(part.map(\.collection)), .bytes(part.map(\.key)))
        _ = try await pool.run([step], within: pool.statementLimit)
      }
    }

    /// Ends all pauses, of keys and of origins: one round trip.
    public func endPauses() async throws(SharedTierError) {
      let steps = [Step(Self.endAllKeyPauses), Step(Self.endOriginPauses)]
      _ = try await pool.run(steps, within: pool.statementLimit)
    }

    /// A pause has no fence, as nobody fetches under it.
    private static let endKeyPauses = Statement(
      "end_key_pauses",
      """
      DELETE FROM freshstore.lease l
      USING unnest($1::bytea[], $2::bytea[]) AS a (collection, key)
      WHERE l.collection = a.collection AND l.key = a.key AND l.fence = 0
      """)

    private static let endAllKeyPauses = Statement(
      "end_all_key_pauses",
      """
      DELETE FROM freshstore.lease l USING (
        SELECT h.collection, h.key FROM freshstore.lease h WHERE h.fence = 0
        ORDER BY h.collection, h.key) AS o
      WHERE l.collection = o.collection AND l.key = o.key AND l.fence = 0
      """)

    private static let endOriginPauses = Statement(
      "end_origin_pauses", "DELETE FROM freshstore.origin")
  }
#endif
