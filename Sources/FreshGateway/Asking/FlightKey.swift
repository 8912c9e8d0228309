internal import FreshHTTP

/// What an origin is asked for once, however many want it: an address, or a variant of it where its answers are known
/// to vary.
struct FlightKey: Sendable, Hashable {
  /// The key of the address (``CopyKey/base``).
  let base: String
  /// The key of the copy that the answer will most likely be: whoever holds its lease asks, in all processes.
  let key: String
  /// True where whoever asks tells whose the request is.
  private let isPersonal: Bool

  /// - Parameter names: The fields of requests that answers are selected by; empty where none are known.
  init(_ key: CopyKey, _ request: GatewayRequest, selectedBy names: [String]) {
    base = key.base
    isPersonal = request.isPersonal
    guard !names.isEmpty else {
      self.key = key.base
      return
    }
    self.key = key.key(of: .fields(names, digest: request.digest(names)))
  }

  /// As far as the copies tell that a request was planned with.
  init(_ key: CopyKey, of plan: ForwardPlan) {
    self.init(key, plan.request, selectedBy: VariantChoice.selectingFields(plan.candidates))
  }

  /// Under what it is known that an answer was for one request alone: what one user was told says that of the answers to
  /// users only.
  var mark: String { isPersonal ? key + "\n" : key }
  /// Those that say so of its answers.
  var marks: [String] { isPersonal ? [key, mark] : [key] }

  /// True where nothing is known of variants.
  var isOfAddress: Bool { key == base }
}
