/// A codec whose instances of one type are interchangeable.
protocol StatelessCodec: Codec {}

extension BytesCodec: StatelessCodec {}
extension AnyBytesCodec: StatelessCodec {}
extension JSONCodec: StatelessCodec {}
extension PropertyListCodec: StatelessCodec {}
