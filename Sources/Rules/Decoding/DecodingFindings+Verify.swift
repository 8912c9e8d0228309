extension DecodingFindings {
  /// Decodes and throws all that was found on the way; strict callers take advice for law.
  static func verify<Value>(
    strict: Bool, _ decode: () throws -> Value
  ) throws(VerificationError) -> Value {
    let findings = DecodingFindings()
    let value: Value
    do {
      value = try $current.withValue(findings, operation: decode)
    } catch {
      findings.add(error, [])
      throw VerificationError(findings.report)
    }
    var report = findings.report
    // The rules of the whole have nothing to say on values that were made up.
    if !findings.hasSubstitutes, let value = value as? any Verifiable {
      report.merge(value.wholeReport)
    }
    guard report.isValid(strict: strict) else { throw VerificationError(report) }
    return value
  }
}
