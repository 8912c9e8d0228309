internal import FreshStore
internal import OriginServer
internal import Strategies

@testable import FreshHTTP

/// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110 section 5.6.7.
let arrival = Timestamp(millisecondsSinceEpoch: 784_111_777_000)

/// The date field of a moment that many seconds from ``arrival``.
func date(_ seconds: Int64) -> String {
  HTTPDate.format(arrival.advanced(by: .seconds(seconds)))
}

/// Fields written as `Name: value`, separated by ` | `.
func fields(_ text: String) -> HeaderFields {
  HeaderFields(
    text.split(separator: " | ").map { line in
      let name = line.prefix { $0 != ":" }
      return HeaderFields.Line(name: String(name), value: String(line.dropFirst(name.count + 1)))
    })
}

/// A reading that many seconds from ``arrival``, of a wall clock that was set by others since then.
func reading(after seconds: Int64 = 0, set: Int64 = 0) -> ClockReading {
  ClockReading(
    wall: arrival.advanced(by: .seconds(seconds + set)), boot: 1,
    sinceBoot: 1_000_000 + seconds * 1000)
}

func answer(
  _ status: Int, _ text: String = "", body: String = "", at arrival: ClockReading = reading()
) -> HTTPAnswer {
  HTTPAnswer(
    status: status, fields: fields(text), body: Array(body.utf8), arrival: arrival,
    responseDelay: .zero)
}

/// The state of a copy whose fetch brought `details`.
func copy(_ details: FetchDetails) -> Previous<[UInt8]> {
  Previous(
    key: "key", value: [1], validators: details.validators, lastUpdate: details.lastUpdate,
    variant: details.variant, metadata: details.metadata)
}

extension Fetched<[UInt8]> {
  var details: FetchDetails {
    switch self {
    case .value(_, let details), .notModified(let details), .gone(let details): details
    }
  }

  var text: String? {
    if case .value(let bytes, _) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  var isNotModified: Bool {
    if case .notModified = self { true } else { false }
  }
}

extension Fetched {
  var isGone: Bool {
    if case .gone = self { true } else { false }
  }
}

#if HTTP
  /// Runs an origin, with a certificate one of https, on a socket where one is named, and a source for
  /// one test and ends both.
  func withOrigin(
    _ configuration: HTTPConfiguration = HTTPConfiguration(timeout: .seconds(600)),
    socket: String? = nil, tls: OriginServer.TLS? = nil,
    _ handler: @escaping OriginServer.Handler,
    test: (OriginServer, HTTPSource) async throws -> Void
  ) async throws {
    let origin =
      if let socket {
        try await OriginServer.start(socket: socket, tls: tls, handler)
      } else {
        try await OriginServer.start(tls: tls, handler)
      }
    let source = try HTTPSource(configuration)
    do {
      try await test(origin, source)
    } catch {
      await source.close()
      await origin.stop()
      throw error
    }
    await source.close()
    await origin.stop()
  }

  extension HTTPSource {
    /// The error of a fetch that is expected to fail.
    func failure(_ url: String) async -> HTTPFetchError? {
      do throws(HTTPFetchError) {
        _ = try await fetch(url)
        return nil
      } catch {
        return error
      }
    }
  }
#endif
