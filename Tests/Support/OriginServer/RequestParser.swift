#if HTTP
  /// Cuts the bytes of a connection into requests. A body must state its length.
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
        !fields.contains(where: { $0.name.lowercased() == "transfer-encoding" })
      else {
        isStuck = true
        return nil
      }
      let bodyStart = headEnd + 4
      guard bytes.count >= bodyStart + length else { return nil }
      let body = Array(bytes[bodyStart..<bodyStart + length])
      bytes.removeFirst(bodyStart + length)
      return OriginServer.Request(
        method: String(parts[0]), target: String(parts[1]), fields: fields, body: body)
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
