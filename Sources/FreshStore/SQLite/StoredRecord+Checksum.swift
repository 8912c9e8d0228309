internal import Strategies

extension StoredRecord {
  /// The checksum of a value's bytes.
  static func checksum(of value: [UInt8]?) -> Int64 {
    var checksum = Checksum()
    checksum.combine(value)
    return Int64(bitPattern: checksum.value)
  }

  /// The checksum over everything on which a verdict or an answer rests, the value by its own
  /// checksum, so that renewing stamps or marking a row does not read the value again.
  var rowChecksum: Int64 {
    var checksum = Checksum(seed: UInt64(bitPattern: contentChecksum))
    checksum.combine(content.collection)
    checksum.combine(content.key)
    checksum.combine(kind.rawValue)
    checksum.combine(version)
    checksum.combine(epoch)
    checksum.combine(content.lastUpdate?.millisecondsSinceEpoch)
    checksum.combine(content.expiry.stored)
    checksum.combine(boot)
    checksum.combine(bootStamp)
    checksum.combine(content.hardEnd?.wholeMilliseconds)
    checksum.combine(content.graceWhileRevalidating?.wholeMilliseconds)
    checksum.combine(content.graceOnError?.wholeMilliseconds)
    checksum.combine(content.mustRevalidate ? 1 : 0)
    checksum.combine(mark?.at.millisecondsSinceEpoch)
    checksum.combine(mark?.reason)
    checksum.combine(mark?.epoch)
    checksum.combine(content.validators.entityTag)
    checksum.combine(content.validators.lastModified)
    checksum.combine(content.source)
    checksum.combine(content.contentType)
    checksum.combine(content.codec)
    checksum.combine(content.contentVersion)
    checksum.combine(content.variant)
    checksum.combine(content.metadata)
    checksum.combine(content.fetchCost)
    checksum.combine(isTagged ? 1 : 0)
    checksum.combine(content.size)
    checksum.combine(isPending ? 1 : 0)
    return Int64(bitPattern: checksum.value)
  }
}
