/// The version of the package.
package enum ProductVersion {
  /// The current one, as in `0.2.0` (https://semver.org).
  package static let current = "0.2.0"
}
