internal import Synchronization

/// The digests by which one request selects variants: however many there are, its fields are read for them once.
///
/// It follows from the fields of the request, and so is equal to any other.
package final class SelectionDigests: Sendable, Hashable {
  private struct State {
    var digests: [[String]: String] = [:]
    var longValues: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// Nothing was asked yet.
  package init() {}

  /// The digest of a request's values for these names, in lower case and sorted.
  ///
  /// - Parameter fields: The same ones each time.
  package func digest(_ names: [String], in fields: HeaderFields) -> String {
    state.withLock { state in
      if let known = state.digests[names] { return known }
      // Most resources have one list of names.
      if state.digests.count >= Self.greatestCount { state = State() }
      let digest = VarySelection.digest(names, in: fields, &state.longValues)
      state.digests[names] = digest
      return digest
    }
  }

  package static func == (left: SelectionDigests, right: SelectionDigests) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}

  /// As many as one address has copies.
  private static let greatestCount = 32
}
