internal import Platform

/// Files beside the database: damaged ones that were moved aside, and the marks that show what a
/// file held, or still holds.
///
/// The mark of local writes is a small file `-outbox`: when no page of a damaged database can be read,
/// it alone distinguishes a cache, which loses nothing, from a store whose local writes are lost. The
/// mark `-values` is made beside a file as it is moved aside: its puts were not taken over yet.
extension DatabaseFile {
  static let writesMark = "-outbox"
  static let valuesMark = "-values"

  /// The name of the writes that a damaged file was marked to hold; its path where the mark has no
  /// name, `nil` without a mark: the writes were recovered already.
  package static func nameOfHeldWrites(_ aside: String) -> String? { name(aside, writesMark) }

  /// The same of the values of a file that was moved aside.
  static func nameOfHeldValues(_ aside: String) -> String? { name(aside, valuesMark) }

  private static func name(_ aside: String, _ mark: String) -> String? {
    if let name = NameMark(path: aside + mark).contents?.name { return name }
    return PathName.exists(aside + mark) ? aside : nil
  }

  /// The damaged files whose local writes were not recovered yet, the oldest first.
  package var unsalvaged: [String] { movedAside.filter { PathName.exists($0 + Self.writesMark) } }

  /// Those whose puts were not taken over yet.
  package var unsalvagedValues: [String] {
    movedAside.filter { PathName.exists($0 + Self.valuesMark) }
  }

  /// True when nothing waits in damaged files. Cost: one listing of the folder.
  var isSalvaged: Bool {
    movedAside.allSatisfy { aside in
      [Self.writesMark, Self.valuesMark].allSatisfy { !PathName.exists(aside + $0) }
    }
  }

  /// The damaged files that were moved aside, the oldest first, whether or not earlier ones still
  /// exist.
  ///
  /// Cost: one listing of the folder.
  package var movedAside: [String] {
    var found: [(number: Int, path: String)] = []
    for (path, ending) in besideDamaged {
      if let number = Int(ending) { found.append((number, path)) }
    }
    return found.sorted { $0.number < $1.number }.map(\.path)
  }

  /// The files whose names begin as those of files that were moved aside, and what follows there.
  var besideDamaged: [(path: String, ending: Substring)] {
    let (folder, name) = PathName.split(resolvedPath)
    let prefix = name + ".damaged-"
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [(path: String, ending: Substring)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.utf8.starts(with: prefix.utf8) else { continue }
      found.append((folder + name, Substring(name.utf8.dropFirst(prefix.utf8.count))))
    }
    return found
  }

  /// Removes a mark of a damaged file: what it is about was taken over.
  func noteSalvaged(_ aside: String, _ mark: String) {
    // If the mark stays, it is found again, and the store knows that it is settled.
    _ = unsafe unlink(aside + mark)
  }
}
