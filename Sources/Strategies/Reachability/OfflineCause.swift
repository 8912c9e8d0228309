/// Why no packet can leave for the source.
///
/// What the kernel's routing says stays a number until somebody wants to read it, so that a read
/// that only decides copies no text.
public struct OfflineCause: Sendable {
  private enum Kind: Sendable {
    case routing(RouteCause)
    case text(String)
  }

  private let kind: Kind

  /// Creates a cause from a text.
  public init(_ text: String) {
    kind = .text(text)
  }

  init(_ cause: RouteCause) {
    kind = .routing(cause)
  }
}

extension OfflineCause: CustomStringConvertible {
  /// The cause in plain English.
  public var description: String {
    switch kind {
    case .routing(let cause): cause.description
    case .text(let text): text
    }
  }
}

extension OfflineCause: ExpressibleByStringInterpolation {
  /// Creates a cause from a text.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

extension OfflineCause: Hashable {
  /// True for causes that read the same.
  public static func == (left: OfflineCause, right: OfflineCause) -> Bool {
    left.description == right.description
  }

  /// Hashes what is read.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}
