#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// Request headers by their origin, from a file. They hold secrets: no message repeats the
  /// contents of a line.
  struct HeadersFile: Sendable {
    private struct Refusal: Error {
      let words: String
    }

    /// By `scheme://host:port`.
    private(set) var fields: [Origin: HeaderFields] = [:]

    /// Reads the file whole: one with anything wrong in it is not used at all.
    init(path: String) throws(CommandFailure) {
      let name = path.debugDescription
      let text = try PrivateFile.read(path, holding: "the headers")
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        do throws(Refusal) {
          try add(line)
        } catch {
          throw CommandFailure(
            .usage, "the headers in \(name) cannot be used: line \(index + 1) \(error.words)")
        }
      }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw Refusal(words: "is not UTF-8")
      }
      let text = Self.trimmed(line[...])
      guard !text.isEmpty, !text.hasPrefix("#") else { return }
      let address = text.prefix { !Self.isSpace($0) }
      let origin = try Self.origin(address)
      let header = Self.trimmed(text[address.endIndex...])
      guard let colon = header.unicodeScalars.firstIndex(of: ":") else {
        throw Refusal(
          words: "has no header after its origin; write 'https://example.org Name: value'")
      }
      let field = HeaderFields.Line(
        name: String(header[..<colon]), value: String(header.unicodeScalars[colon...].dropFirst()))
      do throws(HTTPFetchError) {
        try HTTPConfiguration(headers: HeaderFields([field])).validate()
      } catch {
        throw Refusal(
          words:
            "has a header that cannot be sent: its name takes letters, digits and hyphens, its "
            + "value no control characters, and what every request states by itself (Host, "
            + "Content-Length, conditions) is left out")
      }
      fields[origin, default: HeaderFields()].append(field.name, field.value)
    }

    private static func origin(_ address: Substring) throws(Refusal) -> Origin {
      guard URLText.isURL(String(address)) else {
        throw Refusal(
          words: "does not begin with an origin; write 'https://example.org Name: value'")
      }
      // By bytes, as the address itself is parsed.
      let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        .drop { !"/?#".utf8.contains($0) }
      guard rest.isEmpty || rest.elementsEqual("/".utf8) else {
        throw Refusal(words: "names more than an origin; leave the path away")
      }
      do throws(HTTPFetchError) {
        return try HTTPSource.origin(of: String(address))
      } catch {
        throw Refusal(
          words: "has an origin that is not valid; write https://HOST or https://HOST:PORT")
      }
    }

    private static func trimmed(_ text: Substring) -> Substring {
      let head = text.drop(while: isSpace)
      guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
      return head[...last]
    }

    private static func isSpace(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\r"
    }
  }
#endif
