/// The effect of a step on the world, and on a model.
struct Action {
  typealias Part = (inout Model) -> Void

  /// Starts it in the world.
  var begin: () throws -> Void
  /// The request that it answers: the first answer is the one that counts.
  var request: ObjectIdentifier?
  /// Once the world has come to rest.
  var end: (() throws -> Void)?
  /// Its effect on a model: lists that advance side by side, in steps that others may separate.
  var lists: (Model) -> [[Part]]

  init(
    begin: @escaping () throws -> Void, end: (() throws -> Void)? = nil,
    parts: @escaping (Model) -> [Part]
  ) {
    (self.begin, self.end, lists) = (begin, end, { [parts($0)] })
  }

  init(begin: @escaping () throws -> Void, lists: [[Part]]) {
    (self.begin, self.lists) = (begin, { _ in lists })
  }
}
