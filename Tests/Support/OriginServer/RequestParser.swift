#if HTTP
  /// Cuts the bytes of a connection into requests. A body states its length, or comes in chunks without trailers.
  struct RequestParser {
    private var bytes: [UInt8] = []
    /// True once the bytes cannot be read as a request.
    private(set) var isStuck = false

    private static let headLimit = 64 * 1024
    private static let bodyLimit = 16 * 1024 * 1024

    mutating func append(_ new: some Sequence<UInt8>) {
      bytes.append(contentsOf: new)
    }

    /// The next whole request; `nil` when there is none yet, or never will be.
    mutating func next() -> OriginServer.Request? {
      guard !isStuck else { return nil }
      guard let headEnd = endOfHead() else {
        isStuck = bytes.count > Self.headLimit
        return nil
      }
      let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
      let parts = (lines.first ?? "").split(separator: " ")
      let fields = lines.dropFirst().map(Self.field)
      let length = fields.first { $0.name.lowercased() == "content-length" }.map { Int($0.value) }
      guard parts.count == 3, let length = length ?? 0, (0...Self.bodyLimit).contains(length),
        let content = content(from: headEnd + 4, Self.isInChunks(fields) ? nil : length)
      else {
        isStuck = true
        return nil
      }
      guard case .whole(let body, let end) = content else { return nil }
      let head = Array(bytes[..<headEnd])
      bytes.removeFirst(end)
      return OriginServer.Request(
        method: String(parts[0]), target: String(parts[1]), fields: fields, head: head, body: body)
    }

    private enum Content {
      case incomplete
      case whole([UInt8], end: Int)
    }

    private static func isInChunks(_ fields: [(name: String, value: String)]) -> Bool {
      fields.contains { $0.name.lowercased() == "transfer-encoding" && $0.value == "chunked" }
    }

    /// The content that begins at a place; `nil` for what cannot be read.
    ///
    /// - Parameter length: `nil` for chunks.
    private func content(from start: Int, _ length: Int?) -> Content? {
      if let length {
        guard bytes.count >= start + length else { return .incomplete }
        return .whole(Array(bytes[start..<start + length]), end: start + length)
      }
      var (place, body): (Int, [UInt8]) = (start, [])
      while let lineEnd = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
        let digits = bytes[place..<lineEnd].prefix { $0 != UInt8(ascii: ";") && $0 != 13 }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
          (0...Self.bodyLimit - body.count).contains(size)
        else { return nil }
        let end = lineEnd + 1 + size + 2
        guard bytes.count >= end else { return .incomplete }
        body += bytes[lineEnd + 1..<lineEnd + 1 + size]
        place = end
        if size == 0 { return .whole(body, end: end) }
      }
      return .incomplete
    }

    private static func field(_ line: Substring) -> (name: String, value: String) {
      let name = line.prefix { $0 != ":" }
      let value = line.dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }
      return (String(name), String(value))
    }

    private func endOfHead() -> Int? {
      let end = Array("\r\n\r\n".utf8)
      guard bytes.count >= end.count else { return nil }
      return (0...bytes.count - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }
  }
#endif
