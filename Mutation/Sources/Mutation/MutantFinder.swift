import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the possible changes in a file.
///
/// A mutant adds no line, so the compiler's positions in the changed file hold for this one too.
/// Its own side is copied from the original source, the other side holds the inner mutants: the
/// file grows with the depth of their nesting, not with their number.
final class MutantFinder: SyntaxVisitor {
  private let file: String
  private let locations: SourceLocationConverter
  private let withoutValue: Set<String>
  private(set) var mutants: [Mutant] = []
  /// The number of mutants in an expression that the compiler has to solve as a whole.
  private var held: [SyntaxIdentifier: Int] = [:]
  /// With more of them the compiler gives up on long chains.
  private static let mostInExpression = 8

  static func mutants(in source: String, file: String) -> [Mutant] {
    let tree = Parser.parse(source: source)
    let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
    let finder = MutantFinder(file: file, tree: folded)
    finder.walk(folded)
    return finder.mutants
  }

  private init(file: String, tree: Syntax) {
    self.file = file
    locations = SourceLocationConverter(fileName: file, tree: tree)
    withoutValue = Self.namesWithoutValue(in: tree)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Exclusions

  // A body that clients compile may use nothing internal, and the switch is internal.
  private func goesIn(_ attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    attributes.contains { $0.trimmedDescription == "@inlinable" } ? .skipChildren : .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    goesIn(node.attributes)
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    goesIn(node.attributes)
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    goesIn(node.attributes)
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    goesIn(node.attributes)
  }

  override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    let active = node.clauses.first { clause in
      guard let condition = clause.condition?.trimmedDescription else { return true }
      return ["Glibc", "os(Linux)", "FoundationEssentials", "_endian(little)"]
        .contains { condition.contains($0) }
    }
    if let elements = active?.elements { walk(elements) }
    return .skipChildren
  }

  // MARK: Changes

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let token = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else {
      return .visitChildren
    }
    if let other = Self.assignments[token.text] {
      exchange(node, token, other)
    } else if let others = Self.swaps[token.text] {
      for other in others { choose(node, Self.text(of: node, with: other, for: token)) }
    } else if token.text == "??" {
      choose(node, Self.joined(node.rightOperand.trimmedDescription))
    }
    return .visitChildren
  }

  private static let swaps = [
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "===": ["!=="], "!==": ["==="],
    "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"],
    "&+": ["&-"], "&-": ["&+"], "&*": ["&+"],
    "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
  ]

  private static let assignments = [
    "+=": "-=", "-=": "+=", "&+=": "&-=", "&-=": "&+=", "*=": "+=", "|=": "&=", "&=": "|=",
  ]

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { negate(node) }
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard isWorthwhile(node), let value = Self.value(of: node.literal.text), value < Int.max else {
      return .skipChildren
    }
    choose(node, "\(value + 1)")
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    // The compiler knows that nothing follows `while true`, and relies on it.
    if node.parent?.is(ConditionElementSyntax.self) == true { return .skipChildren }
    choose(node, node.literal.text == "true" ? "false" : "true")
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name =
      node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
      ?? (node.arguments.isEmpty
        ? node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName : nil)
    if let name, let other = ["min": "max", "max": "min"][name.text] {
      choose(node, Self.text(of: node, with: other, for: name))
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negateUnlessCovered(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negateUnlessCovered(node.condition)
    return .visitChildren
  }

  override func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
    // A condition that binds has no opposite; it fails instead.
    if node.contains(where: { !$0.condition.is(ExprSyntax.self) }), let last = node.last?.condition
    {
      add(last, change: "\(Self.brief(node)) → never", opening: "", closing: ", !mutant(§)")
    }
    for element in node {
      if case .expression(let condition) = element.condition { negateUnlessCovered(condition) }
    }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item, mayGo(expression, in: node) else {
      return .visitChildren
    }
    add(
      expression, change: "\(Self.brief(expression)) → nothing", opening: "if !mutant(§) { ",
      closing: " }")
    return .visitChildren
  }
}

// MARK: Replacements

extension MutantFinder {
  /// Replaces an expression by another text.
  private func choose(_ node: some ExprSyntaxProtocol, _ other: String?) {
    guard let other, hasRoom(node) else { return }
    add(
      node, change: "\(Self.brief(node)) → \(Self.brief(other))",
      opening: "(mutant(§) ? (\(other)) : (", closing: "))")
  }

  private func negate(_ node: some ExprSyntaxProtocol) {
    guard hasRoom(node) else { return }
    add(
      node, change: "\(Self.brief(node)) → the opposite", opening: "((", closing: ") != mutant(§))")
  }

  /// Comparisons and negations have their opposite among their own mutants.
  private func negateUnlessCovered(_ node: ExprSyntax) {
    if node.is(PrefixOperatorExprSyntax.self) || node.is(BooleanLiteralExprSyntax.self) { return }
    if let token = node.as(InfixOperatorExprSyntax.self)?.operator
      .as(BinaryOperatorExprSyntax.self)?.operator,
      ["<", "<=", ">", ">=", "==", "!=", "===", "!=="]
        .contains(token.text)
    {
      return
    }
    negate(node)
  }

  /// Replaces a statement by another.
  private func exchange(_ node: InfixOperatorExprSyntax, _ token: TokenSyntax, _ other: String) {
    guard node.parent?.is(CodeBlockItemSyntax.self) == true,
      let text = Self.text(of: node, with: other, for: token)
    else { return }
    add(
      node, change: "\(Self.brief(node)) → \(Self.brief(text))",
      opening: "if mutant(§) { \(text) } else { ", closing: " }")
  }

  private func add(
    _ node: some SyntaxProtocol, change: String, opening: String, closing: String
  ) {
    let start = node.positionAfterSkippingLeadingTrivia
    let location = locations.location(for: start)
    mutants.append(
      Mutant(
        number: 0, file: file, line: location.line, column: location.column, change: change,
        start: start.utf8Offset, end: node.endPositionBeforeTrailingTrivia.utf8Offset,
        opening: opening, closing: closing))
  }

  private func hasRoom(_ node: some SyntaxProtocol) -> Bool {
    var root = Syntax(node)
    while let parent = root.parent, !parent.is(CodeBlockItemSyntax.self),
      !parent.is(ConditionElementSyntax.self), !parent.is(InitializerClauseSyntax.self)
    {
      root = parent
    }
    held[root.id, default: 0] += 1
    return held[root.id, default: 0] <= Self.mostInExpression
  }

  /// Whether a statement may be left out: a call, or an assignment outside an initialiser.
  private func mayGo(_ expression: ExprSyntax, in item: CodeBlockItemSyntax) -> Bool {
    var expression = expression
    while true {
      if let inner = expression.as(TryExprSyntax.self) {
        expression = inner.expression
      } else if let inner = expression.as(AwaitExprSyntax.self) {
        expression = inner.expression
      } else if let inner = expression.as(UnsafeExprSyntax.self) {
        expression = inner.expression
      } else {
        break
      }
    }
    if let infix = expression.as(InfixOperatorExprSyntax.self) {
      return infix.operator.is(AssignmentExprSyntax.self) && !isInInitializer(item)
        && !givesFirstValue(infix.leftOperand)
    }
    guard let call = expression.as(FunctionCallExprSyntax.self), !isWholeResult(item) else {
      return false
    }
    let called = call.calledExpression.trimmedDescription
    return !called.hasSuffix(".init")
      && !["fatalError", "preconditionFailure", "precondition", "assert"].contains(called)
  }

  /// Whether the target of an assignment may have no value before. Names are compared with the
  /// whole file, as the compiler reports a missing value too late, and at too many other places.
  private func givesFirstValue(_ target: ExprSyntax) -> Bool {
    target.tokens(viewMode: .sourceAccurate).contains { withoutValue.contains($0.text) }
  }

  /// The names that are declared in a body without a value.
  private static func namesWithoutValue(in tree: Syntax) -> Set<String> {
    var names: Set<String> = []
    var nodes = [tree]
    while let node = nodes.popLast() {
      nodes += node.children(viewMode: .sourceAccurate)
      guard let declaration = node.as(VariableDeclSyntax.self),
        declaration.parent?.is(CodeBlockItemSyntax.self) == true
      else { continue }
      for binding in declaration.bindings
      where binding.initializer == nil && binding.accessorBlock == nil {
        names.formUnion(binding.pattern.tokens(viewMode: .sourceAccurate).map(\.text))
      }
    }
    return names
  }

  private func isInInitializer(_ item: CodeBlockItemSyntax) -> Bool {
    var node = Syntax(item).parent
    while let parent = node {
      if parent.is(InitializerDeclSyntax.self) { return true }
      if parent.is(FunctionDeclSyntax.self) || parent.is(ClosureExprSyntax.self) { return false }
      node = parent.parent
    }
    return false
  }

  /// A body of one expression returns it.
  private func isWholeResult(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else {
      return false
    }
    guard let body = list.parent else { return false }
    if let function = body.parent?.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    // The compiler has to infer the result of a closure with one call from that call.
    if body.is(ClosureExprSyntax.self) || body.is(AccessorBlockSyntax.self) { return true }
    guard var branching = body.is(SwitchCaseSyntax.self) ? body.parent?.parent : body.parent,
      branching.is(SwitchExprSyntax.self) || branching.is(IfExprSyntax.self)
    else { return false }
    while let outer = branching.parent, outer.is(IfExprSyntax.self) { branching = outer }
    guard branching.parent?.is(ExpressionStmtSyntax.self) == true,
      let statement = branching.parent?.parent?.as(CodeBlockItemSyntax.self)
    else { return true }
    return isWholeResult(statement)
  }

  /// In a table of numbers the first and the last are enough.
  private func isWorthwhile(_ node: IntegerLiteralExprSyntax) -> Bool {
    guard let element = node.parent?.as(ArrayElementSyntax.self),
      let list = element.parent?.as(ArrayElementListSyntax.self), list.count > 2
    else { return true }
    return element == list.first || element == list.last
  }

  private static func value(of literal: String) -> Int? {
    let digits = literal.filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
      return Int(digits.dropFirst(2), radix: radix)
    }
    return Int(digits)
  }

  /// The text of a node on one line with one token replaced; `nil` where that cannot be.
  private static func text(
    of node: some SyntaxProtocol, with other: String, for token: TokenSyntax
  ) -> String? {
    var text = ""
    for each in node.tokens(viewMode: .sourceAccurate) {
      text += each.leadingTrivia.description
      text += each == token ? other : each.text
      text += each.trailingTrivia.description
    }
    return joined(text)
  }

  /// On one line, where line breaks have no meaning.
  private static func joined(_ text: String) -> String? {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    if lines.count > 1, ["//", "/*", "\"\"\"", "{"].contains(where: text.contains) { return nil }
    var joined = lines.joined(separator: " ")
    while joined.first == " " { joined.removeFirst() }
    while joined.last == " " { joined.removeLast() }
    return joined
  }

  private static func brief(_ node: some SyntaxProtocol) -> String {
    brief(node.trimmedDescription)
  }

  private static func brief(_ text: String) -> String {
    let words = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    return words.count > 80 ? words.prefix(77) + "..." : words
  }
}
