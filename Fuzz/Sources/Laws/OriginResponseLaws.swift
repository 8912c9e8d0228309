import FreshHTTP
import NIOCore

/// The laws that cutting the bytes of an origin into responses keeps.
struct OriginResponseLaws {
  /// The result of reading bytes.
  private struct Reading: Equatable {
    var heads: [ResponseDecoder.Head] = []
    /// The content of each final response.
    var contents: [[UInt8]] = []
    var trailers: [HeaderFields] = []
    var fault: AnswerFault?
  }

  /// The requests that wait for an answer.
  private static let methods = ["GET", "HEAD", "GET", "POST"]

  /// The laws for the bytes of one connection.
  static func check(_ input: [UInt8]) {
    let whole = read(input) { _ in input.count }
    law("bytes one by one are the same responses", read(input) { _ in 1 } == whole)
    law("and so are parts", read(input) { Int(input[$0] & 0x1F) + 1 } == whole)
    let finals = whole.heads.filter { $0.status >= 200 }
    law("a response has one end at most", whole.trailers.count <= finals.count)
    law("no more responses than requests", finals.count <= methods.count)
    for head in whole.heads {
      law("a status ends a request, or tells of one", (100...999).contains(head.status))
      for line in head.fields.lines {
        law("a name is a token", FieldSyntax.isToken(line.name))
        law("a value is of one line", FieldSyntax.isFieldValue(line.value))
        law(
          "the bytes of a value are one text",
          FieldText.text(FieldText.bytes(line.value)) == line.value)
      }
    }
    guard whole.fault == nil, whole.trailers.count == finals.count else { return }
    let written = finals.indices.flatMap { bytes(of: finals[$0], whole.contents[$0], at: $0) }
    let again = read(written) { _ in 1 }
    law("what is read reads as it is written", again.heads.map(plain) == finals.map(plain))
    law("and its content, too", again.contents == whole.contents && again.fault == nil)
  }

  /// The fields without those of the framing.
  private static func plain(_ head: ResponseDecoder.Head) -> HeaderFields {
    head.fields.removing(["content-length", "transfer-encoding"])
  }

  private static func read(_ input: [UInt8], part: (Int) -> Int) -> Reading {
    var (decoder, reading, place) = (ResponseDecoder(), Reading(), 0)
    for method in methods { decoder.expect(method) }
    func take(_ part: ResponseDecoder.Part) {
      switch part {
      case .head(let head):
        reading.heads.append(head)
        if head.status >= 200 { reading.contents.append([]) }
      case .content(let bytes):
        reading.contents[reading.contents.count - 1] += bytes.readableBytesView
      case .end(let trailers): reading.trailers.append(trailers)
      }
    }
    do throws(AnswerFault) {
      while place < input.count {
        let end = min(input.count, place + part(place))
        decoder.append(ByteBuffer(bytes: input[place..<end]))
        place = end
        while let part = try decoder.next() { take(part) }
      }
      if let part = try decoder.endOfConnection() { take(part) }
    } catch {
      reading.fault = error
    }
    return reading
  }

  /// A response in its plainest form: without its framing, in chunks where it has content.
  private static func bytes(
    of head: ResponseDecoder.Head, _ content: [UInt8], at place: Int
  ) -> [UInt8] {
    let fields = plain(head).lines.flatMap {
      Array("\($0.name): ".utf8) + FieldText.bytes($0.value) + Array("\r\n".utf8)
    }
    let start = Array("HTTP/1.1 \(head.status) x\r\n".utf8) + fields
    let isEmpty = methods[place] == "HEAD" || [204, 304].contains(head.status)
    if isEmpty { return start + Array("\r\n".utf8) }
    let size = Array("\(String(content.count, radix: 16))\r\n".utf8)
    let chunk = content.isEmpty ? [] : size + content + Array("\r\n".utf8)
    return start + Array("Transfer-Encoding: chunked\r\n\r\n".utf8) + chunk
      + Array("0\r\n\r\n".utf8)
  }
}
