/// Invalid when the object's version is not the required one; otherwise unknown, because a matching
/// version says nothing about the age.
package struct VersionStrategy<Subject: Versioned>: Strategy {
  /// The version an object must have.
  package let required: Subject.Version

  /// Creates the strategy.
  package init(_ required: Subject.Version) {
    self.required = required
  }

  /// `version`.
  package var name: String { "version" }

  /// Compares the subject's version with the required one.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
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
