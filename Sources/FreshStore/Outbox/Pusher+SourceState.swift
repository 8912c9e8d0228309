internal import Strategies

extension Pusher {
  /// What the source now holds: `value` as `bytes`, or nothing; `isOwn` when those are the very
  /// bytes of the local write.
  func sourceState(
    _ ground: Storage.PushGround, _ value: Value?, _ details: FetchDetails, end: ClockReading,
    bytes: [UInt8]?, isOwn: Bool = true
  ) -> Storage.SourceState {
    guard value != nil else { return absent(ground.write.key, details, end: end) }
    let known = ground.shadow.flatMap { $0.isIntact ? $0.content : nil }
    var content = collection.content(ground.write.key, details, expiry: expiry(details))
    content.value = bytes
    content.lastUpdate = details.lastUpdate ?? end.wall
    content.source = details.source ?? known?.source
    content.contentType =
      details.contentType ?? ground.write.contentType ?? known?.contentType
    content.variant = details.variant ?? known?.variant
    content.metadata = details.metadata ?? known?.metadata
    if isOwn { content.codec = ground.write.codec }
    var state = Storage.SourceState(write: Storage.Write(content: content, tags: details.tags))
    if !details.isStorable {
      // The value is the program's own; that it holds must be asked.
      state.staleReason = "the source forbids storing its present value"
      state.write.content.validators = Validators()
    }
    return state
  }

  /// That the source holds nothing.
  func absent(
    _ key: String, _ details: FetchDetails, end: ClockReading
  ) -> Storage.SourceState {
    let expiry = details.expiry ?? policy.negativeExpiry
    var content = collection.content(key, details, expiry: expiry ?? .immediately)
    content.lastUpdate = details.lastUpdate ?? end.wall
    content.validators = Validators()
    return Storage.SourceState(
      write: Storage.Write(content: content, kind: .absent, tags: details.tags),
      isKept: expiry != nil)
  }

  /// The answer's own expiry, or the policy's, shortened by chance.
  private func expiry(_ details: FetchDetails) -> Expiry {
    let expiry = details.expiry(orOfPolicy: policy.expiry)
    guard case .after(let duration) = expiry, policy.jitter > 0 else { return expiry }
    return .after(duration * (1 - min(1, policy.jitter) * store.configuration.random()))
  }
}

extension RecordCollection {
  /// The value of an entry; `nil` for a deletion.
  func value(of write: StoredWrite) throws -> Value? {
    guard write.kind != .delete else { return nil }
    guard write.contentVersion == contentVersion, codec.reads(write.codec) else {
      throw WriteOfOtherFormat(
        codec: write.codec, version: Int(write.contentVersion), own: codec.identifier,
        ownVersion: Int(contentVersion))
    }
    return try codec.decode(write.payload ?? [])
  }

  /// The value of an entry that is known to decode.
  func decoded(_ write: StoredWrite) -> Value? {
    do {
      return try value(of: write)
    } catch {
      return nil
    }
  }

  /// What a shadow says the source holds; `nil` when that is nothing, or cannot be read.
  func value(of shadow: StoredRecord) -> Value? {
    let content = shadow.content
    guard shadow.isIntact, shadow.kind == .value, content.contentVersion == contentVersion,
      codec.reads(content.codec)
    else { return nil }
    do {
      return try codec.decode(content.value ?? [])
    } catch {
      return nil
    }
  }
}

extension StoredRecord {
  /// What to tell the source of the version that it is known to hold.
  var validators: Validators { isIntact ? content.validators : Validators() }
}

extension WriteKind {
  /// What an entry asks its source to do.
  init(_ write: StoredWrite) {
    self =
      switch write.kind {
      case .create: .create
      case .replace: .replace
      case .patch: .patch(write.patch ?? [], contentType: write.patchType ?? "")
      case .delete: .delete
      }
  }
}
