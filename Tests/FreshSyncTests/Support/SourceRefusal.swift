/// The error of a source that does not answer.
struct SourceRefusal: Error {}
