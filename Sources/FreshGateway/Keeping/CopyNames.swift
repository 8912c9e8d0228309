/// What others than the gateway need to know of the keys of its copies.
package enum CopyNames {
  /// The key of an address, which its other copies' keys begin with, before a `#`. It is the address itself,
  /// unless that is too long for a key.
  package static func base(of address: String) -> String { CopyKey(address).base }
}
