/// The source's state, as an answer or an earlier one has told it.
struct ModelAnswer {
  /// `nil` when it holds nothing.
  let value: Int?
  /// The number of the question: marks with a higher one cover it.
  let asked: Int
  /// When it was true, in milliseconds since the machine was started.
  let moment: Int64
  var lifetime = Setting.expiry
  /// The mark that it has already, where nobody was asked.
  var mark: ModelRecord.Mark?
  /// The value of a local write that the source has accepted as this one.
  var madeOf: Int?

  var kind: ModelRecord.Kind { value == nil ? .absent : .value }
}
