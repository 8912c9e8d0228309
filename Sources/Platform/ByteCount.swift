/// Sizes for people, in powers of 1,024.
package enum ByteCount {
  /// `512 bytes`, `3.4 KiB`, `120 MiB`.
  package static func words(_ bytes: some BinaryInteger) -> String {
    guard bytes >= 1024 else { return "\(bytes) bytes" }
    var size = Double(bytes) / 1024
    var unit = 0
    while size >= 1024, unit < units.count - 1 {
      size /= 1024
      unit += 1
    }
    let tenths = Int(size * 10)
    return size < 100
      ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
  }

  private static let units = ["KiB", "MiB", "GiB", "TiB"]
}
