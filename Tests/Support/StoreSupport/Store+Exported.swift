package import FreshStore
package import FreshStoreTools

extension Store {
  /// The export as one piece.
  package func exported(_ collection: String? = nil) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await part in exporting(collection: collection) { bytes += part.lines }
    return bytes
  }

  /// Imports one piece, cut into chunks of this many bytes.
  package func take(
    _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), chunk: Int = 1 << 16
  ) async throws -> ImportResult {
    var importing = importer(options)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try await importing.take(bytes[start..<min(start + chunk, bytes.count)])
    }
    return try await importing.finish()
  }
}

extension RecordCollection {
  /// Makes the source report that the object does not exist.
  package func forget(_ key: String, _ details: FetchDetails) async throws {
    do throws(GetError) {
      _ = try await get(key) { _ in .gone(details) }
    } catch {
      guard error.code == .absent else { throw error }
    }
  }
}
