import FreshStore

/// A push of the model that waits for its source.
struct ModelPush: Hashable {
  let store: Int
  let key: String
  let entry: Int64
  let fence: Int
  /// The write as it is sent.
  let sent: ModelEntry
  let base: Int?
  /// True when nobody has seen the base at the source.
  let isBaseUnseen: Bool
  let isBySync: Bool
  /// False when it is the resolution of a conflict.
  let resolves: Bool
  /// When it was sent, in milliseconds since the machine was started.
  let began: Int64
  /// The deadline of the answer, on the process's own alarms.
  let deadline: Int64

  var question: SimulatedSource.PushQuestion {
    .init(
      store: store, key: key, kind: sent.kind, value: sent.value, base: base,
      attempts: sent.attempts, isBySync: isBySync)
  }
}
