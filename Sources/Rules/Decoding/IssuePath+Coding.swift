extension IssuePath {
  /// The path of coding keys: one with a number is an index, all others are fields.
  init(coding path: [any CodingKey]) {
    self.init(path.map { key in key.intValue.map { .index($0) } ?? .field(key.stringValue) })
  }

  /// This path, seen from the value at the root of `outer`.
  func inside(_ outer: IssuePath) -> IssuePath {
    IssuePath(outer.components + components)
  }
}

extension Report {
  /// The same, seen from the value that holds the checked one at `path`.
  func inside(_ path: IssuePath) -> Report {
    var report = self
    for index in issues.indices { report.issues[index].path = issues[index].path.inside(path) }
    for index in omissions.indices {
      report.omissions[index].path = omissions[index].path.inside(path)
    }
    return report
  }

  func inside(_ path: [any CodingKey]) -> Report { inside(IssuePath(coding: path)) }
}
