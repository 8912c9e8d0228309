internal import FreshHTTP

/// What an origin is asked for once, however many want it: an address, or a variant of it where its answers are known
/// to vary.
struct FlightKey: Sendable, Hashable {
  /// The key of the address (``CopyKey/base``).
  let base: String
  /// The key of the copy that the answer will most likely be: whoever holds its lease asks, in all processes.
  let key: String

  /// - Parameter names: The fields of requests that answers are selected by; empty where none are known.
  init(_ key: CopyKey, _ request: GatewayRequest, selectedBy names: [String]) {
    base = key.base
    guard !names.isEmpty else {
      self.key = key.base
      return
    }
    let digest = VarySelection.digest(names, in: request.fields)
    self.key = key.key(of: .fields(names, digest: digest))
  }

  /// As far as the copies tell that a request was planned with.
  init(_ key: CopyKey, of plan: ForwardPlan) {
    self.init(key, plan.request, selectedBy: VariantChoice.selectingFields(plan.candidates))
  }

  /// True where nothing is known of variants.
  var isOfAddress: Bool { key == base }
}
