#[path="greet.u.pb.rs"]
#[allow(nonstandard_style, unused)]
pub mod greet_v1_greet_proto;
#[allow(nonstandard_style, unused)]
#[doc(inline)]
pub use greet_v1_greet_proto::*;
#[allow(nonstandard_style, unused)]
pub mod __unstable {
pub static GREET_V1_GREET_DESCRIPTOR_INFO: ::protobuf::__internal::runtime::__unstable::DescriptorInfo = ::protobuf::__internal::runtime::__unstable::DescriptorInfo {
  descriptor: b"\n\x14greet/v1/greet.proto\x12\x08greet.v1\"\x1c\n\x0cGreetRequest\x12\x0c\n\x04name\x18\x01 \x01(\t\"!\n\rGreetResponse\x12\x10\n\x08greeting\x18\x01 \x01(\t\"1\n\x12GreetStreamRequest\x12\x0c\n\x04name\x18\x01 \x01(\t\x12\r\n\x05\x63ount\x18\x02 \x01(\x05\"\'\n\x13GreetStreamResponse\x12\x10\n\x08greeting\x18\x01 \x01(\t\"!\n\x11GreetCountRequest\x12\x0c\n\x04name\x18\x01 \x01(\t\"#\n\x12GreetCountResponse\x12\r\n\x05\x63ount\x18\x01 \x01(\x05\" \n\x10GreetChatRequest\x12\x0c\n\x04name\x18\x01 \x01(\t\"%\n\x11GreetChatResponse\x12\x10\n\x08greeting\x18\x01 \x01(\t2\xb0\x02\n\x0cGreetService\x12=\n\x05Greet\x12\x16.greet.v1.GreetRequest\x1a\x17.greet.v1.GreetResponse\"\x03\x90\x02\x01\x12L\n\x0bGreetStream\x12\x1c.greet.v1.GreetStreamRequest\x1a\x1d.greet.v1.GreetStreamResponse0\x01\x12I\n\nGreetCount\x12\x1b.greet.v1.GreetCountRequest\x1a\x1c.greet.v1.GreetCountResponse(\x01\x12H\n\tGreetChat\x12\x1a.greet.v1.GreetChatRequest\x1a\x1b.greet.v1.GreetChatResponse(\x01\x30\x01\x62\x06proto3",
  deps: &[
  ],
};
}
