import FreshHTTP
import NIOCore
import Strategies

@testable import FreshGateway

/// The laws that cutting bytes into requests keeps, and understanding them.
struct GatewayRequestLaws {
  /// The result of reading bytes.
  private struct Reading: Equatable {
    var heads: [IncomingRequest] = []
    /// The content of each.
    var contents: [[UInt8]] = []
    /// How many of them have ended.
    var ends = 0
    var refusal: RequestRefusal?
  }

  /// Small ones, so that they are met.
  private static let smallLimits: HeadLimits = {
    var limits = HeadLimits()
    (limits.requestLine, limits.bytes, limits.fields, limits.content) = (64, 256, 8, 100)
    limits.chunkExtension = 8
    return limits
  }()

  private static let now = Timestamp(millisecondsSinceEpoch: 1_700_000_000_000)

  /// The laws for the bytes of one connection.
  static func check(_ input: [UInt8]) {
    for limits in [HeadLimits(), smallLimits] {
      let whole = read(input, limits) { _ in input.count }
      law("bytes one by one are the same requests", read(input, limits) { _ in 1 } == whole)
      // The bytes themselves say where they are cut.
      law("and so are parts", read(input, limits) { Int(input[$0] & 0x1F) + 1 } == whole)
      law("a head that has ended is followed by one at most", whole.heads.count - whole.ends <= 1)
      law(
        "a limit holds", whole.contents.allSatisfy { Int64($0.count) <= limits.content })
    }
    let whole = read(input, HeadLimits()) { _ in input.count }
    for (head, content) in zip(whole.heads, whole.contents).prefix(whole.ends) {
      check(head, content)
    }
  }

  private static func read(
    _ input: [UInt8], _ limits: HeadLimits, part: (Int) -> Int
  ) -> Reading {
    var (decoder, reading, place) = (RequestDecoder(limits), Reading(), 0)
    do throws(RequestRefusal) {
      while place < input.count {
        let end = min(input.count, place + part(place))
        decoder.append(ByteBuffer(bytes: input[place..<end]))
        place = end
        while let part = try decoder.next() {
          switch part {
          case .head(let head):
            reading.heads.append(head)
            reading.contents.append([])
            try decoder.begin(MessageFraming(ofRequest: head.fields, version: head.version))
          case .content(let bytes):
            reading.contents[reading.contents.count - 1] += bytes.readableBytesView
          case .end: reading.ends += 1
          }
        }
      }
    } catch {
      reading.refusal = error
    }
    return reading
  }

  // MARK: One request

  /// The laws for a request that has come as a whole.
  private static func check(_ head: IncomingRequest, _ content: [UInt8]) {
    for site in sites {
      guard let request = understood(head, site) else { continue }
      checkSentOn(request, head)
      let written = read(bytes(of: head, content, request.framing), HeadLimits()) { _ in 1 }
      law("what is understood reads as it is written", written.heads == [head])
      law("and its content, too", written.contents == [content])
      law("and nothing is left of it", written.ends == 1 && written.refusal == nil)
    }
  }

  private static let sites: [Site] = {
    do {
      return [.anyOrigin, .origin(try HTTPAddress("http://origin.example"))]
    } catch {
      return []
    }
  }()

  private static func understood(_ head: IncomingRequest, _ site: Site) -> GatewayRequest? {
    do throws(RequestRefusal) {
      return try RequestReading(site: site).read(head, now: now)
    } catch {
      law("a refusal has a status of its own", (400...599).contains(error.status))
      law("a refusal does nothing to a terminal", error.reason.isHarmless)
      return nil
    }
  }

  private static func checkSentOn(_ request: GatewayRequest, _ head: IncomingRequest) {
    law("a method is a token", FieldSyntax.isToken(request.method))
    law(
      "what is sent on can be sent",
      request.fields.lines.allSatisfy {
        FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
      })
    for name in ["Connection", "Content-Length", "Host", "Transfer-Encoding", "Upgrade"] {
      law("what is of one connection is not sent on", request.fields.first(name) == nil)
    }
    guard let address = request.address else { return }
    if head.target.utf8.first == UInt8(ascii: "/") {
      law("a target is sent on as it came", head.target == address.target)
    }
    law("an address is one line", address.text.isHarmless)
    do throws(HTTPAddress.Refusal) {
      let read = try HTTPAddress(address.text)
      law("an address reads as it was written", read == address)
    } catch {
      law("the address of a request can be read", false)
    }
  }

  private static func bytes(
    of head: IncomingRequest, _ content: [UInt8], _ framing: MessageFraming
  ) -> [UInt8] {
    let version = head.version == .http10 ? "1.0" : "1.1"
    let fields = head.fields.lines.flatMap {
      Array("\($0.name): ".utf8) + FieldText.bytes($0.value) + Array("\r\n".utf8)
    }
    let start =
      Array("\(head.method) \(head.target) HTTP/\(version)\r\n".utf8) + fields
      + Array("\r\n".utf8)
    guard case .chunked = framing else { return start + content }
    let size = Array("\(String(content.count, radix: 16))\r\n".utf8)
    let chunk = content.isEmpty ? [] : size + content + Array("\r\n".utf8)
    return start + chunk + Array("0\r\n\r\n".utf8)
  }
}
