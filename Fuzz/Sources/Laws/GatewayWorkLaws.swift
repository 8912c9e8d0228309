import FreshHTTP
import Strategies

@testable import FreshGateway

/// The law that a gateway's work for a message grows no faster than the message, however many variants are stored:
/// whoever sends it pays as much.
enum GatewayWorkLaws {
  /// How the fields of a message grow.
  private enum Growth: CaseIterable {
    /// Each value has more members, of the same names.
    case members
    /// Each value has more members, each of a name of its own.
    case namedMembers
    /// There are more fields, each of a name of its own.
    case fields

    func fields(_ fields: HeaderFields, to size: Int) -> HeaderFields {
      let bytes = fields.lines.reduce(1) { sum, line in
        sum + line.value.utf8.count + 4 + (self == .fields ? line.name.utf8.count + 4 : 0)
      }
      let count = max(1, size / bytes)
      let lines = fields.lines.flatMap { line -> [HeaderFields.Line] in
        guard self == .fields else { return [grown(line, count)] }
        return [line]
          + (1..<max(2, count)).map { .init(name: "\(line.name)\($0)", value: line.value) }
      }
      return HeaderFields(lines)
    }

    private func grown(_ line: HeaderFields.Line, _ count: Int) -> HeaderFields.Line {
      let members = FieldSyntax.listMembers(line.value)
      let more = (1..<max(2, count)).flatMap { number in
        members.map { member -> String in
          guard self == .namedMembers else { return member }
          let name = member.utf8.prefix(while: FieldSyntax.isTokenByte).count
          return "\(member.prefix(name))\(number)\(member.dropFirst(name))"
        }
      }
      return .init(name: line.name, value: ([line.value] + more).joined(separator: ", "))
    }
  }

  /// The laws for an answer with its request; see ``HTTPMessage``.
  static func check(_ input: [UInt8]) {
    let message = HTTPMessage(input)
    guard (200...599).contains(message.status),
      (0...1 << 50).contains(message.time.millisecondsSinceEpoch),
      (.zero...Duration.seconds(1 << 30)).contains(message.delay)
    else { return }
    for (response, request) in [
      (Growth.members, Growth.members), (.namedMembers, .namedMembers), (.namedMembers, .fields),
      (.fields, .namedMembers),
    ] {
      let (less, more) = (
        steps(message, response, request, size: size),
        steps(message, response, request, size: 4 * size)
      )
      law(
        "four times the bytes take about four times the work (\(less), \(more))", more <= less * 6)
      law("a byte takes no more than so much work (\(more))", more <= base + 8 * size * perByte)
    }
  }

  /// The bytes of each side's fields, before they grow to four times as many.
  private static let size = 8192
  /// The steps of a request without fields and of its variants, with room; then the steps of a
  /// byte.
  private static let base = 200_000
  private static let perByte = 150

  private static func steps(
    _ message: HTTPMessage, _ response: Growth, _ request: Growth, size: Int
  ) -> Int {
    let answer = answer(message, message.status, response.fields(message.response, to: size))
    let asked = request.fields(message.request, to: size)
    let candidates = variants(message)
    return Steps.count {
      guard let request = self.request(asked) else { return }
      let decision = semantics.decide(request, among: candidates)
      _ = semantics.conclude(answer, to: .passing(request, .request))
      guard case .forward(let plan) = decision else { return }
      _ = semantics.conclude(answer, to: plan)
      _ = semantics.conclude(self.answer(message, 304, answer.fields), to: plan)
    }
  }

  /// As many as one address has, each of the answer to a request of its own.
  private static func variants(_ message: HTTPMessage) -> [Candidate] {
    let answer = answer(message, message.status, message.response)
    return (0..<31).compactMap { number in
      let fields = HeaderFields(
        message.request.lines.map { .init(name: $0.name, value: "\($0.value)\(number)") })
      guard let request = request(fields) else { return nil }
      do throws(StoringRefusal) {
        return Candidate(
          try Storing(policy: semantics.policy).stored(answer, for: request), residentTime: .zero)
      } catch {
        return nil
      }
    }
  }

  private static func answer(
    _ message: HTTPMessage, _ status: Int, _ fields: HeaderFields
  ) -> OriginAnswer {
    OriginAnswer(
      status: status, fields: fields, receivedAt: message.time, delay: message.delay)
  }

  private static let semantics = CacheSemantics(GatewayPolicy()) { "boundary" }

  private static let reading: RequestReading? = {
    do {
      return RequestReading(site: .origin(try HTTPAddress("http://origin.example")))
    } catch {
      return nil
    }
  }()

  private static func request(_ fields: HeaderFields) -> GatewayRequest? {
    let host: HeaderFields = ["Host": "gateway"]
    // A field that cannot arrive is left out: no work is done for it.
    let others = fields.lines.filter {
      !FieldSyntax.equalIgnoringCase($0.name, "Host") && FieldSyntax.isToken($0.name)
        && FieldSyntax.isFieldValue($0.value)
    }
    do throws(RequestRefusal) {
      return try reading?.read(
        IncomingRequest("GET", "/page", fields: HeaderFields(host.lines + others)),
        now: Timestamp(millisecondsSinceEpoch: 1_700_000_000_000))
    } catch {
      return nil
    }
  }
}
