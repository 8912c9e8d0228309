extension StoredRecord {
  /// The checksum of a value's bytes.
  static func checksum(of value: [UInt8]?) -> Int64 {
    var checksum = Checksum()
    checksum.combine(value)
    return Int64(bitPattern: checksum.value)
  }

  /// The checksum over all columns that affect a verdict or an answer; the value enters by its own
  /// checksum, so that renewing stamps or marking a row does not read the value again.
  package var rowChecksum: Int64 {
    var (record, sum) = (self, RecordSum())
    record.visit(&sum)
    return sum.checksum
  }
}
