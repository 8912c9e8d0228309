/// A codec of which any two of one type do the same.
protocol StatelessCodec: Codec {}

extension BytesCodec: StatelessCodec {}
extension AnyBytesCodec: StatelessCodec {}
extension JSONCodec: StatelessCodec {}
extension PropertyListCodec: StatelessCodec {}
