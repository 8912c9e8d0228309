/// Normalising steps: ``Schema/normalise(_:in:)`` applies them in their order, a check never.
extension Field {
  /// Replaces the value; the closure sees the model after the earlier steps.
  ///
  /// The field must be one that can be written.
  public func filtered(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ change: @escaping @Sendable (_ value: Value, _ model: Model) -> Value
  ) -> Field {
    precondition(write != nil, "a step needs a field that can be written, and \(name) cannot")
    return changing {
      $0.steps.append(FieldStep(scope: Scope(on: on, except: except), change: change))
    }
  }

  /// Replaces the value.
  public func filtered(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ change: @escaping @Sendable (_ value: Value) -> Value
  ) -> Field {
    filtered(on: on, except: except) { value, _ in change(value) }
  }

  /// Replaces an empty value by the closure's result for the model.
  public func defaulting(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ value: @escaping @Sendable (_ model: Model) -> Value
  ) -> Field {
    let isEmpty = isEmpty
    return filtered(on: on, except: except) { isEmpty($0) ? value($1) : $0 }
  }

  /// Replaces an empty value.
  public func defaulting(
    to value: Value, on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field where Value: Sendable {
    defaulting(on: on, except: except) { _ in value }
  }
}

extension Field where Value == String {
  /// Trims characters at both ends; white space and line breaks, unless told otherwise.
  public func trimmed(
    of isCut: @escaping @Sendable (Character) -> Bool = \.isWhitespace,
    on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field {
    filtered(on: on, except: except) { $0.trimmed(of: isCut) }
  }
}

extension Field where Value == String? {
  /// Trims characters at both ends of a present text.
  public func trimmed(
    of isCut: @escaping @Sendable (Character) -> Bool = \.isWhitespace,
    on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field {
    filtered(on: on, except: except) { $0?.trimmed(of: isCut) }
  }
}

extension String {
  func trimmed(of isCut: (Character) -> Bool) -> String {
    guard let first = firstIndex(where: { !isCut($0) }), let last = lastIndex(where: { !isCut($0) })
    else { return "" }
    return String(self[first...last])
  }
}
