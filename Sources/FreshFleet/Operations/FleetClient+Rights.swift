#if Fleet
  public import FreshStore

  extension FleetClient {
    /// The rights that the user lacks for the work of a host, such as `INSERT ON freshstore.mark`, in their order; none
    /// where it has all of them.
    ///
    /// A right on the tables is first needed by the first mark or the first landing: who may only read them is a host
    /// like any other until then. Cost: one round trip.
    public func missingRights() async throws(SharedTierError) -> [String] {
      let rows = try await pool.run([Step(Self.lackRights)], within: pool.configuration.limit)
      return rows.first?.map { $0.text(0) } ?? []
    }

    /// Those of a host; to trim and to set up takes more.
    private static let lackRights = Statement(
      "lack_rights",
      """
      SELECT w.privilege || ' ON freshstore.' || w.name
      FROM (VALUES ('counter', 'SELECT'), ('counter', 'UPDATE'), ('fleet', 'SELECT'),
        ('fresh', 'SELECT'), ('lease', 'SELECT'), ('lease', 'INSERT'), ('lease', 'UPDATE'),
        ('lease', 'DELETE'), ('mark', 'SELECT'), ('mark', 'INSERT'), ('origin', 'SELECT'),
        ('origin', 'INSERT'), ('origin', 'UPDATE'), ('origin', 'DELETE'), ('record', 'SELECT'),
        ('record', 'INSERT'), ('record', 'UPDATE')) AS w (name, privilege)
      WHERE NOT has_table_privilege('freshstore.' || w.name, w.privilege)
      ORDER BY w.name, w.privilege
      """)
  }
#endif
