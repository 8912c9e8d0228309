extension DecodingFindings {
  /// Decodes and throws every issue found on the way; strict callers treat advice as law.
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
    // Rules of the whole do not apply to substitutes.
    if !findings.hasSubstitutes, let value = value as? any Verifiable {
      report.merge(value.wholeReport)
    }
    guard report.isValid(strict: strict) else { throw VerificationError(report) }
    return value
  }
}
