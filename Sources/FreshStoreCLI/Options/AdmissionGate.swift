#if CommandLine
  internal import FreshStore
  internal import Rules

  /// The conditions for storing a value: rules that are data, and further requirements.
  struct AdmissionGate: Sendable {
    let rules: RulesFile?
    let requirements: [Requirement]

    /// The collection of this name behind the gate. Its records are bytes, whichever program wrote them, as they are
    /// to list and explain.
    func bytes(
      _ name: String, in store: Store, policy: Policy = .cacheFirst
    ) throws(StoreError) -> RecordCollection<[UInt8]> {
      let codec = AnyBytesCodec()
      let collection =
        if let rules {
          try store.bytes(
            name, codec: codec, policy: policy, admitting: rules.schema, in: rules.scenario)
        } else {
          try store.collection(name, codec: codec, policy: policy)
        }
      return requirements.reduce(collection) { $0.admitting($1.rule) }
    }
  }
#endif
