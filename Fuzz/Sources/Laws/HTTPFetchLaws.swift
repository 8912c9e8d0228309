import FreshStore
import Strategies

@testable import FreshHTTP

/// The laws that a fetch keeps for any answers: first with the response of the input, then with the
/// answer to the conditional request that follows from it.
struct HTTPFetchLaws {
  let message: HTTPMessage
  let configuration: HTTPConfiguration
  let address: HTTPAddress

  /// The laws for a response with its request; see ``HTTPMessage``.
  static func check(_ input: [UInt8]) {
    let message = HTTPMessage(input)
    guard let address = HTTPFetchLaws.address else { return law("an address can be read", false) }
    for configuration in [HTTPConfiguration(headers: message.request), HTTPConfiguration()]
    where isSendable(configuration) {
      HTTPFetchLaws(message: message, configuration: configuration, address: address).check()
    }
  }

  private static let address: HTTPAddress? = {
    do { return try HTTPAddress("https://example.org/a/b?c") } catch { return nil }
  }()

  private static func isSendable(_ configuration: HTTPConfiguration) -> Bool {
    do throws(HTTPFetchError) { try configuration.validate() } catch { return false }
    return true
  }

  private func check() {
    checkStoredFields()
    let (first, steps) = run(message.status, nil)
    law("a fetch asks no more often than redirects allow", steps <= 7)
    check(first)
    guard case .value(let value, let details)? = run(200, nil).result else { return }
    check(.value(value, details))
    let previous = Previous(
      key: "key", value: value, validators: details.validators, lastUpdate: details.lastUpdate,
      variant: details.variant, metadata: details.metadata)
    check(run(304, previous).result)
    check(run(message.status, previous).result)
  }

  /// Asks until there is a result; `nil` on an error.
  private func run(
    _ status: Int, _ previous: Previous<[UInt8]>?
  ) -> (result: Fetched<[UInt8]>?, steps: Int) {
    var plan = FetchPlan(address: address, configuration: configuration, previous: previous)
    for step in 1...10 {
      let fields = plan.requestFields
      law(
        "what is sent can be sent",
        fields.lines.allSatisfy {
          FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
        })
      if previous == nil {
        law("without a copy nothing is conditional", fields.first("If-None-Match") == nil)
      }
      do throws(HTTPFetchError) {
        if let result = try plan.result(of: message.answer(status)) { return (result, step) }
      } catch {
        law("an error says something", !error.description.isEmpty)
        law("an error does nothing to a terminal", error.description.isHarmless)
        return (nil, step)
      }
      checkAddress(plan.address)
    }
    return (nil, .max)
  }

  private func checkAddress(_ address: HTTPAddress) {
    do throws(HTTPAddress.Refusal) {
      let read = try HTTPAddress(address.text)
      law("an address reads as it was written", read == address)
    } catch {
      law("an address that is asked can be read", false)
    }
    law("nobody is sent from https to http", address.scheme == .https)
    law("an address is one line", address.text.isHarmless)
  }

  private func check(_ result: Fetched<[UInt8]>?) {
    let details: FetchDetails
    switch result {
    case .value(let value, let stated):
      law("a value is the body", value == message.answer(200).body)
      details = stated
    case .notModified(let stated): details = stated
    case .gone(let stated):
      law("what is gone has no validators", stated.validators.isEmpty)
      details = stated
    case nil: return
    }
    law(
      "what is fetched is not from the future",
      details.lastUpdate.map { $0 <= message.time } ?? false)
    if case .after(let lifetime)? = details.expiry {
      law("a lifetime is positive", lifetime > .zero)
    }
    let texts = [
      details.validators.entityTag, details.validators.lastModified, details.contentType,
      details.source,
    ]
    law("what is kept can be sent", texts.allSatisfy { $0.map(FieldSyntax.isFieldValue) ?? true })
    let metadata = StoredFields(encoded: details.metadata)
    law("what is kept reads as it was written", metadata.encoded == details.metadata)
  }

  private func checkStoredFields() {
    let stored = StoredFields(address: address, response: message.response)
    law("fields read as they were written", StoredFields(encoded: stored.encoded) == stored)
    law("fields are from their address", stored.isFrom(address))
    let validators = FetchPlan.validators(of: message.response)
    let once = stored.updated(by: message.response, validators: validators)
    let again = StoredFields(address: address, response: once)
      .updated(by: message.response, validators: validators)
    law("an update twice is one", again == once)
  }
}
