import FreshHTTP
import Strategies

@testable import FreshGateway

/// The laws that a stored answer keeps: as a text that anything may have written, and as what is made of an answer.
enum GatewayCopyLaws {
  private static let policies = [GatewayPolicy(), .personal, assuming]
  /// An operator's, who gives answers a lifetime.
  private static let assuming: GatewayPolicy = {
    var policy = GatewayPolicy()
    policy.lifetimes.found = [.init(AddressPattern("/page"), .seconds(60))]
    policy.lifetimes.absent = [.init(nil, .seconds(10))]
    return policy
  }()

  /// The laws for bytes as the text of a stored answer, and as an answer with its request; see ``HTTPMessage``.
  static func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let message = HTTPMessage(input)
    for policy in policies {
      if let stored = StoredAnswer(encoded: text, selection: .every, policy: policy) {
        checkCopy(stored, policy)
      }
      checkAnswer(message, policy)
    }
  }

  private static func checkAnswer(_ message: HTTPMessage, _ policy: GatewayPolicy) {
    // Ages are kept in milliseconds, of which there are not more.
    let greatest: Int64 = 1 << 53
    guard (-greatest...greatest).contains(message.time.millisecondsSinceEpoch),
      message.delay <= .milliseconds(greatest)
    else { return }
    guard let request = request(message.request) else { return }
    let answer = OriginAnswer(
      status: message.status, fields: message.response, receivedAt: message.time,
      delay: message.delay)
    do throws(StoringRefusal) {
      let stored = try Storing(policy: policy).stored(answer, for: request)
      law("no status but a final one is kept", (200...599).contains(stored.status))
      for name in ["Age", "Connection", "Content-Length", "Transfer-Encoding"] {
        law("what is computed, or of a connection, is not kept", stored.fields.first(name) == nil)
      }
      checkCopy(stored, policy)
    } catch {
      // Most are not kept.
    }
  }

  private static func checkCopy(_ stored: StoredAnswer, _ policy: GatewayPolicy) {
    let (terms, directives) = (
      stored.terms, AnswerDirectives(stored.fields, targets: policy.targets)
    )
    let isFree =
      !ReuseTerms.statesLifetime(stored.fields, directives, policy) && !terms.forbidsStale
    law("an operator's lifetime overrides nothing", terms.assumedLifetime == nil || isFree)
    let text = stored.encoded
    let read = StoredAnswer(encoded: text, selection: stored.selection, policy: policy)
    law("what is kept reads as it was written", read == stored)
    law("and is written as it was read", read?.encoded == text)
    law(
      "what is kept can be sent",
      stored.fields.lines.allSatisfy {
        FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
      })
    checkUse(stored, policy)
  }

  /// Whatever it says, it can be decided by, and what is sent of it can be sent.
  private static func checkUse(_ stored: StoredAnswer, _ policy: GatewayPolicy) {
    let semantics = CacheSemantics(policy) { "boundary" }
    for fields: HeaderFields in [
      [:], ["Range": "bytes=0-0, -1"], ["Cache-Control": "max-stale, min-fresh=5"],
      ["If-None-Match": "*"], ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
    ] {
      guard let request = request(fields) else { return law("a request is understood", false) }
      for time: Duration in [.zero, .seconds(60), .seconds(1 << 40)] {
        let candidate = Candidate(stored, residentTime: time)
        guard case .answer(let plan, let index) = semantics.decide(request, among: [candidate])
        else { continue }
        law("the copy that answers is the one there is", index == 0)
        law("its status is one", (200...599).contains(plan.status))
        law(
          "what is answered can be sent",
          plan.fields.lines.allSatisfy {
            FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
          })
        law("it says where it is from", plan.fields.combined("Cache-Status") != nil)
      }
    }
  }

  private static let origin: Site? = {
    do { return .origin(try HTTPAddress("http://origin.example")) } catch { return nil }
  }()

  private static func request(_ fields: HeaderFields) -> GatewayRequest? {
    guard let origin else { return nil }
    let host: HeaderFields = ["Host": "gateway"]
    let incoming = IncomingRequest(
      "GET", "/page",
      fields: HeaderFields(
        host.lines
          + fields.lines.filter { !FieldSyntax.equalIgnoringCase($0.name, "Host") }))
    do throws(RequestRefusal) {
      return try RequestReading(site: origin).read(
        incoming, now: Timestamp(millisecondsSinceEpoch: 1_700_000_000_000))
    } catch {
      return nil
    }
  }
}
