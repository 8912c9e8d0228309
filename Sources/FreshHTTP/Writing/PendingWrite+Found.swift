#if HTTP
  internal import FreshStore

  /// What a source holds, and what that means to a write.
  extension PendingWrite<[UInt8]> {
    /// The same write, without a known absence.
    var uponAnything: Self {
      PendingWrite(
        key: key, kind: kind, value: value, idempotencyKey: idempotencyKey, base: base,
        baseValidators: baseValidators, contentType: contentType, metadata: metadata,
        attempts: attempts, mayHaveArrived: mayHaveArrived, address: address,
        recordAddress: recordAddress)
    }

    /// True while the source still holds what it held before a write that it has promised, and this write would
    /// overtake that one: a replacement carries the whole value, and no other kind does.
    func waits(for unseen: UnseenWrite, at found: Fetched<[UInt8]>) -> Bool {
      switch kind {
      case .create, .replace: return false
      case .patch, .delete: break
      }
      switch found {
      case .value(let value, let details):
        return value != base && unseen.mayFollow(details.validators)
      case .gone: return base != nil && unseen.former == UnseenWrite.absence
      case .notModified: return false
      }
    }

    /// The same write, upon what the source holds now. `nil` where that is another's change: neither the
    /// base, which nobody has seen there, nor what the source may still hold instead.
    func upon(_ found: Fetched<[UInt8]>, after unseen: UnseenWrite) -> Self? {
      switch found {
      case .value(let value, let details):
        guard value == base || unseen.mayFollow(details.validators) else { return nil }
      case .gone:
        guard base == nil || unseen.former == UnseenWrite.absence else { return nil }
      case .notModified: return nil
      }
      return based(on: found)
    }

    /// The same write, whatever it was based on, with what the source holds as its base.
    func based(on found: Fetched<[UInt8]>) -> Self {
      switch found {
      case .value(let value, let details):
        PendingWrite(
          key: key, kind: kind, value: self.value, idempotencyKey: idempotencyKey, base: value,
          baseValidators: details.validators, contentType: contentType,
          metadata: details.metadata, attempts: attempts, mayHaveArrived: mayHaveArrived,
          address: address, recordAddress: recordAddress)
      case .gone(let details):
        PendingWrite(
          key: key, kind: kind, value: value, idempotencyKey: idempotencyKey, isBaseAbsent: true,
          contentType: contentType, metadata: details.metadata, attempts: attempts,
          mayHaveArrived: mayHaveArrived, address: address, recordAddress: recordAddress)
      case .notModified: self
      }
    }

    /// True when what was found may be what the source has made of this write. A source without strong tags may
    /// take no notice of a condition, and store the write: it is not asked.
    func mayHaveMade(_ found: Fetched<[UInt8]>) -> Bool {
      guard mayHaveArrived, kind != .delete, case .value(let value, let details) = found,
        value != self.value, let tag = details.validators.entityTag
      else { return false }
      return EntityTag(tag)?.isWeak == false
    }

    /// True when the source holds the base of the write, so that it is unchanged: judged by the
    /// validators, without any by the bytes, and by absence where nothing was known.
    func isGround(_ current: Fetched<[UInt8]>) -> Bool {
      switch current {
      case .value(let value, let details):
        guard baseValidators.isEmpty, details.validators.isEmpty else {
          return details.validators.entityTag == baseValidators.entityTag
            && details.validators.lastModified == baseValidators.lastModified
        }
        return base == value
      // A deletion is complete.
      case .gone: return base == nil && baseValidators.isEmpty && kind != .delete
      case .notModified: return false
      }
    }
  }
#endif
