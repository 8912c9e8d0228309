/// Invalid when the object says that it must be fetched again; never valid.
package struct InvalidationStrategy<Subject: Invalidatable>: Strategy {
  package init() {}

  package var name: String { "invalidation" }

  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let cause = subject.invalidation else { return .unknown(.notMarked) }
    return .invalid(.marked(cause))
  }
}

extension Strategy {
  /// Invalid when the object says that it must be fetched again.
  public static func invalidation<Object: Invalidatable>() -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(InvalidationStrategy())
  }
}

/// Valid when the object's owner vouches for it; never invalid.
struct ValidationStrategy<Subject: DeclaredValid>: Strategy {
  var name: String { "validation" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    subject.isDeclaredValid ? .valid(.declaredValid) : .unknown(.notDeclared)
  }
}

extension Strategy {
  /// Valid when the object's owner vouches for it.
  public static func validation<Object: DeclaredValid>() -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(ValidationStrategy())
  }
}

/// Invalid when the object's version is not the required one; otherwise unknown, because a matching
/// version says nothing about the age.
struct VersionStrategy<Subject: Versioned>: Strategy {
  let required: Subject.Version

  init(_ required: Subject.Version) {
    self.required = required
  }

  var name: String { "version" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    let found = subject.version
    return Opinion(
      found == required ? .unknown : .invalid,
      .version(found: String(describing: found), required: String(describing: required)))
  }
}

extension Strategy {
  /// Invalid when the object's version is not `required`.
  public static func version<Object: Versioned>(_ required: Object.Version) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(VersionStrategy(required))
  }
}
