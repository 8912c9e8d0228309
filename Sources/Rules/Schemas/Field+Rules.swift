extension Field {
  /// Adds a rule.
  ///
  /// - Parameters:
  ///   - on: The scenarios in which it applies; all, when empty.
  ///   - except: Those in which it does not, also when `on` names them.
  ///   - skipsEmpty: Whether it is skipped when the field is empty: `nil`, or without elements. By
  ///     default the field decides: optional fields skip (``optional()``), others ask.
  ///   - condition: Whether it concerns this model; asked last.
  public func rule(
    _ rule: Rule<Value>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    skipsEmpty: Bool? = nil, when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field {
    changing {
      $0.rules.append(
        FieldRule(
          rule: rule, scope: Scope(on: on, except: except), skipsEmpty: skipsEmpty,
          isPresence: false, condition: condition))
    }
  }

  /// Adds a rule for a present value; skipped for `nil`.
  public func rule<Wrapped>(
    _ rule: Rule<Wrapped>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    skipsEmpty: Bool? = nil, when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field where Value == Wrapped? {
    self.rule(rule.ifPresent, on: on, except: except, skipsEmpty: skipsEmpty, when: condition)
  }

  /// Demands that the field not be empty; broken with the issue `required`.
  ///
  /// `nil` and values without elements are empty; white space, zero and `false` are not.
  public func required(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field {
    changing {
      let isEmpty = $0.isEmpty
      $0.rules.append(
        FieldRule(
          rule: Rule(code: "required") { !isEmpty($0) }, scope: Scope(on: on, except: except),
          skipsEmpty: false, isPresence: true, condition: condition))
    }
  }

  /// The same field, whose rules are skipped when it is empty, as those of an optional are anyway.
  public func optional() -> Field { changing { $0.skipsEmpty = true } }

  /// The same field, whose rules are asked even when it is empty.
  public func askedWhenEmpty() -> Field { changing { $0.skipsEmpty = false } }

  /// The same field, ended by its first issue: the rules after it are not asked.
  public func stoppingAtFirst() -> Field { changing { $0.stopsAtFirst = true } }

  /// The same field with another definition of empty, for later additions.
  public func empty(when isEmpty: @escaping @Sendable (Value) -> Bool) -> Field {
    changing { $0.isEmpty = isEmpty }
  }

  /// Lets mass assignment write the field in these scenarios; in all, when none are named.
  ///
  /// A field with a rule or a step in a scenario is assignable there without this.
  public func safe(in scenarios: Set<Scenario> = []) -> Field { mark(scenarios, isSafe: true) }

  /// Keeps mass assignment from writing the field in these scenarios; in all, when none are named.
  /// The later of two statements wins.
  public func unsafe(in scenarios: Set<Scenario> = []) -> Field { mark(scenarios, isSafe: false) }

  private func mark(_ scenarios: Set<Scenario>, isSafe: Bool) -> Field {
    changing { $0.marks.append((Scope(on: scenarios, except: []), isSafe)) }
  }
}
