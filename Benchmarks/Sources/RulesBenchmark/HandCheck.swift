/// The ten rules of a registration, written by hand.
enum HandCheck {
  /// A broken one.
  struct Problem {
    let field: String
    let code: String
  }

  @inline(never)
  static func problems(of registration: Registration) -> [Problem] {
    var problems: [Problem] = []
    func unless(_ holds: Bool, _ field: String, _ code: String) {
      if !holds { problems.append(Problem(field: field, code: code)) }
    }
    unless(!registration.name.isEmpty, "name", "too-short")
    unless(registration.name.count <= 40, "name", "too-long")
    unless(!registration.nickname.isEmpty, "nickname", "empty")
    unless(["BE", "NL", "LU"].contains(registration.country), "country", "not-allowed")
    unless(["nl", "fr", "de"].contains(registration.language), "language", "not-allowed")
    unless(registration.age >= 18, "age", "too-small")
    unless(registration.age <= 120, "age", "too-big")
    unless(registration.seats >= 1, "seats", "too-small")
    unless(registration.discount >= 0, "discount", "too-small")
    unless(registration.discount <= 1, "discount", "too-big")
    unless(registration.score <= 10, "score", "too-big")
    unless(registration.tags.count <= 5, "tags", "too-many")
    unless(registration.isAgreed, "isAgreed", "not-true")
    return problems
  }
}
