internal import FreshStore
internal import Platform

/// The pages of a damaged database, read past SQLite from a copy that no process has open
/// (https://sqlite.org/fileformat2.html, section 1).
struct DamagedPages: ~Copyable {
  let size = 4096
  /// The number of pages; a truncated last one does not count.
  let count: Int
  private let descriptor: Int32

  init?(_ path: String) {
    let opened = unsafe Platform.open(path, O_RDONLY | O_CLOEXEC, 0)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else {
      close(opened)
      return nil
    }
    count = Int(status.st_size) / size
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// The header in the first bytes, however few pages there are; `nil` when those are not the bytes of a database.
  var header: FileHeader? {
    read(at: 0, FileHeader.size).flatMap(FileHeader.init)
  }

  /// True when the first bytes are those of a store.
  var isStore: Bool { header?.identifier == DatabaseSchema.applicationIdentifier }

  /// The bytes of a page, counted from 1; `nil` when there is none.
  borrowing func page(_ number: Int) -> [UInt8]? { bytes(at: (number - 1) * size, size, number) }

  private borrowing func bytes(at offset: Int, _ length: Int, _ number: Int) -> [UInt8]? {
    guard (1...max(1, count)).contains(number), count > 0 else { return nil }
    return read(at: offset, length)
  }

  private borrowing func read(at offset: Int, _ length: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: length)
    let read = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe pread(descriptor, buffer.baseAddress, length, off_t(offset))
    }
    return read == length ? bytes : nil
  }

  /// The role of a page in the pointer map (section 1.8).
  enum Role {
    case root
    /// A page of a tree, and the page above it.
    case child(of: Int)
    case other
  }

  /// The role of a page. The map lies in pages of its own, so it survives the loss of the page above.
  borrowing func role(of number: Int) -> Role {
    let perMap = size / 5 + 1
    let map = (number - 2) / perMap * perMap + 2
    guard number > 2, number != map,
      let entry = bytes(at: (map - 1) * size + 5 * (number - map - 1), 5, map)
    else { return .other }
    switch entry[0] {
    case 1: return .root
    case 5: return .child(of: entry[1...].bigEndian)
    default: return .other
    }
  }

  /// The root of a page's tree; `nil` for a page of no tree.
  borrowing func root(of number: Int) -> Int? {
    var page = number
    // No tree is deeper.
    for _ in 0..<20 {
      switch role(of: page) {
      case .root: return page
      case .child(let parent): page = parent
      case .other: return nil
      }
    }
    return nil
  }

  /// The payload of a cell whose first part is `local`, with the rest in overflow pages from `next`.
  borrowing func payload(_ local: [UInt8], _ total: Int, overflow next: Int) -> [UInt8]? {
    var (payload, number) = (local, next)
    while payload.count < total {
      // A chain longer than the file is a cycle.
      guard payload.count <= count * size, let page = page(number) else { return nil }
      payload += page[4...].prefix(total - payload.count)
      number = page[..<4].bigEndian
    }
    return payload
  }
}
