/// Names the origin that a fetch of a record asks; `nil` for a record the caller does not fetch.
package typealias OriginOfRecord = @Sendable (_ collection: String, _ address: String?) -> String?
