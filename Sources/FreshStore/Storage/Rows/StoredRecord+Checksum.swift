extension StoredRecord {
  /// The checksum of a value's bytes; of a long one block by block.
  static func checksum(of value: [UInt8]?) -> Int64 {
    if let value, value.count > ContentReference.blockSize {
      var sum = ContentSum()
      for block in value.blocks { sum.add(block) }
      return sum.checksum
    }
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

extension [UInt8] {
  /// The bytes in blocks, all but the last full.
  var blocks: [ArraySlice<UInt8>] {
    stride(from: 0, to: count, by: ContentReference.blockSize).map { start in
      self[start..<Swift.min(start + ContentReference.blockSize, count)]
    }
  }
}
