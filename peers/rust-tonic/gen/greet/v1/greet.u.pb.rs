const _: () = ::protobuf::__internal::assert_compatible_gencode_version("0.36.2-release");
// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetRequest_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetRequest {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetRequest>
}

impl ::protobuf::Message for GreetRequest {
  type MessageView<'msg> = GreetRequestView<'msg>;
  type MessageMut<'msg> = GreetRequestMut<'msg>;
}

impl ::std::default::Default for GreetRequest {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetRequest {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetRequest` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetRequestMut`.
unsafe impl ::std::marker::Sync for GreetRequest {}

// SAFETY:
// - `GreetRequest` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetRequest {}

impl ::protobuf::Proxied for GreetRequest {
  type View<'msg> = GreetRequestView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetRequest {}

impl ::protobuf::MutProxied for GreetRequest {
  type Mut<'msg> = GreetRequestMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetRequestView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetRequestView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetRequestView<'msg> {
  type Message = GreetRequest;
}

impl ::std::fmt::Debug for GreetRequestView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetRequestView<'_> {
  fn default() -> GreetRequestView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetRequest>> for GreetRequestView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetRequestView<'msg> {

  pub fn to_owned(&self) -> GreetRequest {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // name: optional string
  pub fn name(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetRequestView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetRequestView<'_> {}

// SAFETY:
// - `GreetRequestView` is `Send` because while its alive a `GreetRequestMut` cannot.
// - `GreetRequestView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetRequestView<'_> {}

impl<'msg> ::protobuf::AsView for GreetRequestView<'msg> {
  type Proxied = GreetRequest;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetRequest> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetRequestView<'msg> {
  fn into_view<'shorter>(self) -> GreetRequestView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetRequest> for GreetRequestView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetRequest {
    let mut dst = GreetRequest::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetRequest> for GreetRequestMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetRequest {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetRequest {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetRequestView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetRequestMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetRequestMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetRequestMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetRequestMut<'msg> {
  type Message = GreetRequest;
}

impl ::std::fmt::Debug for GreetRequestMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetRequest>> for GreetRequestMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetRequestMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetRequest> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetRequest {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetRequestMut<'_> {}

// SAFETY:
// - `GreetRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetRequestMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetRequestMut<'msg> {
  type Proxied = GreetRequest;
  fn as_view(&self) -> ::protobuf::View<'_, GreetRequest> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetRequestMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetRequest>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetRequestMut<'msg> {
  type MutProxied = GreetRequest;
  fn as_mut(&mut self) -> GreetRequestMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetRequestMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetRequestMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetRequest {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetRequest> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetRequestView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetRequestMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetRequest

impl ::std::ops::Drop for GreetRequest {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetRequest {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetRequest {
  type Proxied = Self;
  fn as_view(&self) -> GreetRequestView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetRequest {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetRequestMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetRequest {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetRequest_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetRequest_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetRequest_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetRequest {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetRequest {
  type Msg = GreetRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetRequest {
  type Msg = GreetRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetRequestMut<'_> {
  type Msg = GreetRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetRequestMut<'_> {
  type Msg = GreetRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetRequestView<'_> {
  type Msg = GreetRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetRequest> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetRequestMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetResponse_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetResponse {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetResponse>
}

impl ::protobuf::Message for GreetResponse {
  type MessageView<'msg> = GreetResponseView<'msg>;
  type MessageMut<'msg> = GreetResponseMut<'msg>;
}

impl ::std::default::Default for GreetResponse {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetResponse {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetResponse` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetResponseMut`.
unsafe impl ::std::marker::Sync for GreetResponse {}

// SAFETY:
// - `GreetResponse` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetResponse {}

impl ::protobuf::Proxied for GreetResponse {
  type View<'msg> = GreetResponseView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetResponse {}

impl ::protobuf::MutProxied for GreetResponse {
  type Mut<'msg> = GreetResponseMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetResponseView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetResponseView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetResponseView<'msg> {
  type Message = GreetResponse;
}

impl ::std::fmt::Debug for GreetResponseView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetResponseView<'_> {
  fn default() -> GreetResponseView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetResponse>> for GreetResponseView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetResponseView<'msg> {

  pub fn to_owned(&self) -> GreetResponse {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // greeting: optional string
  pub fn greeting(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetResponseView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetResponseView<'_> {}

// SAFETY:
// - `GreetResponseView` is `Send` because while its alive a `GreetResponseMut` cannot.
// - `GreetResponseView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetResponseView<'_> {}

impl<'msg> ::protobuf::AsView for GreetResponseView<'msg> {
  type Proxied = GreetResponse;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetResponse> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetResponseView<'msg> {
  fn into_view<'shorter>(self) -> GreetResponseView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetResponse> for GreetResponseView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetResponse {
    let mut dst = GreetResponse::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetResponse> for GreetResponseMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetResponse {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetResponse {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetResponseView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetResponseMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetResponseMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetResponseMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetResponseMut<'msg> {
  type Message = GreetResponse;
}

impl ::std::fmt::Debug for GreetResponseMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetResponse>> for GreetResponseMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetResponseMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetResponse> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetResponse {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetResponseMut<'_> {}

// SAFETY:
// - `GreetResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetResponseMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetResponseMut<'msg> {
  type Proxied = GreetResponse;
  fn as_view(&self) -> ::protobuf::View<'_, GreetResponse> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetResponseMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetResponse>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetResponseMut<'msg> {
  type MutProxied = GreetResponse;
  fn as_mut(&mut self) -> GreetResponseMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetResponseMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetResponseMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetResponse {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetResponse> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetResponseView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetResponseMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetResponse

impl ::std::ops::Drop for GreetResponse {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetResponse {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetResponse {
  type Proxied = Self;
  fn as_view(&self) -> GreetResponseView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetResponse {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetResponseMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetResponse {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetResponse_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetResponse_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetResponse_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetResponse {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetResponse {
  type Msg = GreetResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetResponse {
  type Msg = GreetResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetResponseMut<'_> {
  type Msg = GreetResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetResponseMut<'_> {
  type Msg = GreetResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetResponseView<'_> {
  type Msg = GreetResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetResponse> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetResponseMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetStreamRequest_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetStreamRequest {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetStreamRequest>
}

impl ::protobuf::Message for GreetStreamRequest {
  type MessageView<'msg> = GreetStreamRequestView<'msg>;
  type MessageMut<'msg> = GreetStreamRequestMut<'msg>;
}

impl ::std::default::Default for GreetStreamRequest {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetStreamRequest {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetStreamRequest` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetStreamRequestMut`.
unsafe impl ::std::marker::Sync for GreetStreamRequest {}

// SAFETY:
// - `GreetStreamRequest` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetStreamRequest {}

impl ::protobuf::Proxied for GreetStreamRequest {
  type View<'msg> = GreetStreamRequestView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetStreamRequest {}

impl ::protobuf::MutProxied for GreetStreamRequest {
  type Mut<'msg> = GreetStreamRequestMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetStreamRequestView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetStreamRequestView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetStreamRequestView<'msg> {
  type Message = GreetStreamRequest;
}

impl ::std::fmt::Debug for GreetStreamRequestView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetStreamRequestView<'_> {
  fn default() -> GreetStreamRequestView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamRequest>> for GreetStreamRequestView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetStreamRequestView<'msg> {

  pub fn to_owned(&self) -> GreetStreamRequest {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // name: optional string
  pub fn name(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

  // count: optional int32
  pub fn count(self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        1, (0i32).into()
      ).try_into().unwrap()
    }
  }

}

// SAFETY:
// - `GreetStreamRequestView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetStreamRequestView<'_> {}

// SAFETY:
// - `GreetStreamRequestView` is `Send` because while its alive a `GreetStreamRequestMut` cannot.
// - `GreetStreamRequestView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetStreamRequestView<'_> {}

impl<'msg> ::protobuf::AsView for GreetStreamRequestView<'msg> {
  type Proxied = GreetStreamRequest;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetStreamRequest> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetStreamRequestView<'msg> {
  fn into_view<'shorter>(self) -> GreetStreamRequestView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetStreamRequest> for GreetStreamRequestView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetStreamRequest {
    let mut dst = GreetStreamRequest::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetStreamRequest> for GreetStreamRequestMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetStreamRequest {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetStreamRequest {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetStreamRequestView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetStreamRequestMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetStreamRequestMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetStreamRequestMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetStreamRequestMut<'msg> {
  type Message = GreetStreamRequest;
}

impl ::std::fmt::Debug for GreetStreamRequestMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamRequest>> for GreetStreamRequestMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetStreamRequestMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamRequest> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetStreamRequest {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

  // count: optional int32
  pub fn count(&self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        1, (0i32).into()
      ).try_into().unwrap()
    }
  }
  pub fn set_count(&mut self, val: i32) {
    unsafe {
      // TODO: b/361751487: This .into() is only here
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      //perfectly.
      self.inner.ptr_mut().set_base_field_i32_at_index(
        1, val.into()
      )
    }
  }

}

// SAFETY:
// - `GreetStreamRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetStreamRequestMut<'_> {}

// SAFETY:
// - `GreetStreamRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetStreamRequestMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetStreamRequestMut<'msg> {
  type Proxied = GreetStreamRequest;
  fn as_view(&self) -> ::protobuf::View<'_, GreetStreamRequest> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetStreamRequestMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetStreamRequest>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetStreamRequestMut<'msg> {
  type MutProxied = GreetStreamRequest;
  fn as_mut(&mut self) -> GreetStreamRequestMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetStreamRequestMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetStreamRequestMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetStreamRequest {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetStreamRequest> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetStreamRequestView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetStreamRequestMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

  // count: optional int32
  pub fn count(&self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        1, (0i32).into()
      ).try_into().unwrap()
    }
  }
  pub fn set_count(&mut self, val: i32) {
    unsafe {
      // TODO: b/361751487: This .into() is only here
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      //perfectly.
      self.inner.ptr_mut().set_base_field_i32_at_index(
        1, val.into()
      )
    }
  }

}  // impl GreetStreamRequest

impl ::std::ops::Drop for GreetStreamRequest {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetStreamRequest {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetStreamRequest {
  type Proxied = Self;
  fn as_view(&self) -> GreetStreamRequestView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetStreamRequest {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetStreamRequestMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetStreamRequest {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetStreamRequest_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$1X(P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetStreamRequest_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetStreamRequest_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetStreamRequest {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetStreamRequest {
  type Msg = GreetStreamRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamRequest {
  type Msg = GreetStreamRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetStreamRequestMut<'_> {
  type Msg = GreetStreamRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamRequestMut<'_> {
  type Msg = GreetStreamRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamRequestView<'_> {
  type Msg = GreetStreamRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamRequest> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetStreamRequestMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetStreamResponse_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetStreamResponse {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetStreamResponse>
}

impl ::protobuf::Message for GreetStreamResponse {
  type MessageView<'msg> = GreetStreamResponseView<'msg>;
  type MessageMut<'msg> = GreetStreamResponseMut<'msg>;
}

impl ::std::default::Default for GreetStreamResponse {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetStreamResponse {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetStreamResponse` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetStreamResponseMut`.
unsafe impl ::std::marker::Sync for GreetStreamResponse {}

// SAFETY:
// - `GreetStreamResponse` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetStreamResponse {}

impl ::protobuf::Proxied for GreetStreamResponse {
  type View<'msg> = GreetStreamResponseView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetStreamResponse {}

impl ::protobuf::MutProxied for GreetStreamResponse {
  type Mut<'msg> = GreetStreamResponseMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetStreamResponseView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetStreamResponseView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetStreamResponseView<'msg> {
  type Message = GreetStreamResponse;
}

impl ::std::fmt::Debug for GreetStreamResponseView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetStreamResponseView<'_> {
  fn default() -> GreetStreamResponseView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamResponse>> for GreetStreamResponseView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetStreamResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetStreamResponseView<'msg> {

  pub fn to_owned(&self) -> GreetStreamResponse {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // greeting: optional string
  pub fn greeting(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetStreamResponseView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetStreamResponseView<'_> {}

// SAFETY:
// - `GreetStreamResponseView` is `Send` because while its alive a `GreetStreamResponseMut` cannot.
// - `GreetStreamResponseView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetStreamResponseView<'_> {}

impl<'msg> ::protobuf::AsView for GreetStreamResponseView<'msg> {
  type Proxied = GreetStreamResponse;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetStreamResponse> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetStreamResponseView<'msg> {
  fn into_view<'shorter>(self) -> GreetStreamResponseView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetStreamResponse> for GreetStreamResponseView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetStreamResponse {
    let mut dst = GreetStreamResponse::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetStreamResponse> for GreetStreamResponseMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetStreamResponse {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetStreamResponse {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetStreamResponseView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetStreamResponseMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetStreamResponseMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetStreamResponseMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetStreamResponseMut<'msg> {
  type Message = GreetStreamResponse;
}

impl ::std::fmt::Debug for GreetStreamResponseMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamResponse>> for GreetStreamResponseMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetStreamResponseMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetStreamResponse> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetStreamResponse {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetStreamResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetStreamResponseMut<'_> {}

// SAFETY:
// - `GreetStreamResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetStreamResponseMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetStreamResponseMut<'msg> {
  type Proxied = GreetStreamResponse;
  fn as_view(&self) -> ::protobuf::View<'_, GreetStreamResponse> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetStreamResponseMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetStreamResponse>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetStreamResponseMut<'msg> {
  type MutProxied = GreetStreamResponse;
  fn as_mut(&mut self) -> GreetStreamResponseMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetStreamResponseMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetStreamResponseMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetStreamResponse {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetStreamResponse> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetStreamResponseView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetStreamResponseMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetStreamResponse

impl ::std::ops::Drop for GreetStreamResponse {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetStreamResponse {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetStreamResponse {
  type Proxied = Self;
  fn as_view(&self) -> GreetStreamResponseView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetStreamResponse {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetStreamResponseMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetStreamResponse {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetStreamResponse_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetStreamResponse_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetStreamResponse_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetStreamResponse {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetStreamResponse {
  type Msg = GreetStreamResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamResponse {
  type Msg = GreetStreamResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetStreamResponseMut<'_> {
  type Msg = GreetStreamResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamResponseMut<'_> {
  type Msg = GreetStreamResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetStreamResponseView<'_> {
  type Msg = GreetStreamResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetStreamResponse> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetStreamResponseMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetCountRequest_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetCountRequest {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetCountRequest>
}

impl ::protobuf::Message for GreetCountRequest {
  type MessageView<'msg> = GreetCountRequestView<'msg>;
  type MessageMut<'msg> = GreetCountRequestMut<'msg>;
}

impl ::std::default::Default for GreetCountRequest {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetCountRequest {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetCountRequest` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetCountRequestMut`.
unsafe impl ::std::marker::Sync for GreetCountRequest {}

// SAFETY:
// - `GreetCountRequest` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetCountRequest {}

impl ::protobuf::Proxied for GreetCountRequest {
  type View<'msg> = GreetCountRequestView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetCountRequest {}

impl ::protobuf::MutProxied for GreetCountRequest {
  type Mut<'msg> = GreetCountRequestMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetCountRequestView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetCountRequestView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetCountRequestView<'msg> {
  type Message = GreetCountRequest;
}

impl ::std::fmt::Debug for GreetCountRequestView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetCountRequestView<'_> {
  fn default() -> GreetCountRequestView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountRequest>> for GreetCountRequestView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetCountRequestView<'msg> {

  pub fn to_owned(&self) -> GreetCountRequest {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // name: optional string
  pub fn name(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetCountRequestView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetCountRequestView<'_> {}

// SAFETY:
// - `GreetCountRequestView` is `Send` because while its alive a `GreetCountRequestMut` cannot.
// - `GreetCountRequestView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetCountRequestView<'_> {}

impl<'msg> ::protobuf::AsView for GreetCountRequestView<'msg> {
  type Proxied = GreetCountRequest;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetCountRequest> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetCountRequestView<'msg> {
  fn into_view<'shorter>(self) -> GreetCountRequestView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetCountRequest> for GreetCountRequestView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetCountRequest {
    let mut dst = GreetCountRequest::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetCountRequest> for GreetCountRequestMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetCountRequest {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetCountRequest {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetCountRequestView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetCountRequestMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetCountRequestMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetCountRequestMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetCountRequestMut<'msg> {
  type Message = GreetCountRequest;
}

impl ::std::fmt::Debug for GreetCountRequestMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountRequest>> for GreetCountRequestMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetCountRequestMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountRequest> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetCountRequest {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetCountRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetCountRequestMut<'_> {}

// SAFETY:
// - `GreetCountRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetCountRequestMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetCountRequestMut<'msg> {
  type Proxied = GreetCountRequest;
  fn as_view(&self) -> ::protobuf::View<'_, GreetCountRequest> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetCountRequestMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetCountRequest>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetCountRequestMut<'msg> {
  type MutProxied = GreetCountRequest;
  fn as_mut(&mut self) -> GreetCountRequestMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetCountRequestMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetCountRequestMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetCountRequest {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetCountRequest> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetCountRequestView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetCountRequestMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetCountRequest

impl ::std::ops::Drop for GreetCountRequest {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetCountRequest {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetCountRequest {
  type Proxied = Self;
  fn as_view(&self) -> GreetCountRequestView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetCountRequest {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetCountRequestMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetCountRequest {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetCountRequest_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetCountRequest_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetCountRequest_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetCountRequest {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetCountRequest {
  type Msg = GreetCountRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountRequest {
  type Msg = GreetCountRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetCountRequestMut<'_> {
  type Msg = GreetCountRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountRequestMut<'_> {
  type Msg = GreetCountRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountRequestView<'_> {
  type Msg = GreetCountRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountRequest> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetCountRequestMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetCountResponse_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetCountResponse {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetCountResponse>
}

impl ::protobuf::Message for GreetCountResponse {
  type MessageView<'msg> = GreetCountResponseView<'msg>;
  type MessageMut<'msg> = GreetCountResponseMut<'msg>;
}

impl ::std::default::Default for GreetCountResponse {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetCountResponse {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetCountResponse` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetCountResponseMut`.
unsafe impl ::std::marker::Sync for GreetCountResponse {}

// SAFETY:
// - `GreetCountResponse` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetCountResponse {}

impl ::protobuf::Proxied for GreetCountResponse {
  type View<'msg> = GreetCountResponseView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetCountResponse {}

impl ::protobuf::MutProxied for GreetCountResponse {
  type Mut<'msg> = GreetCountResponseMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetCountResponseView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetCountResponseView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetCountResponseView<'msg> {
  type Message = GreetCountResponse;
}

impl ::std::fmt::Debug for GreetCountResponseView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetCountResponseView<'_> {
  fn default() -> GreetCountResponseView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountResponse>> for GreetCountResponseView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetCountResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetCountResponseView<'msg> {

  pub fn to_owned(&self) -> GreetCountResponse {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // count: optional int32
  pub fn count(self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        0, (0i32).into()
      ).try_into().unwrap()
    }
  }

}

// SAFETY:
// - `GreetCountResponseView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetCountResponseView<'_> {}

// SAFETY:
// - `GreetCountResponseView` is `Send` because while its alive a `GreetCountResponseMut` cannot.
// - `GreetCountResponseView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetCountResponseView<'_> {}

impl<'msg> ::protobuf::AsView for GreetCountResponseView<'msg> {
  type Proxied = GreetCountResponse;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetCountResponse> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetCountResponseView<'msg> {
  fn into_view<'shorter>(self) -> GreetCountResponseView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetCountResponse> for GreetCountResponseView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetCountResponse {
    let mut dst = GreetCountResponse::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetCountResponse> for GreetCountResponseMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetCountResponse {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetCountResponse {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetCountResponseView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetCountResponseMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetCountResponseMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetCountResponseMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetCountResponseMut<'msg> {
  type Message = GreetCountResponse;
}

impl ::std::fmt::Debug for GreetCountResponseMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountResponse>> for GreetCountResponseMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetCountResponseMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetCountResponse> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetCountResponse {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // count: optional int32
  pub fn count(&self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        0, (0i32).into()
      ).try_into().unwrap()
    }
  }
  pub fn set_count(&mut self, val: i32) {
    unsafe {
      // TODO: b/361751487: This .into() is only here
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      //perfectly.
      self.inner.ptr_mut().set_base_field_i32_at_index(
        0, val.into()
      )
    }
  }

}

// SAFETY:
// - `GreetCountResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetCountResponseMut<'_> {}

// SAFETY:
// - `GreetCountResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetCountResponseMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetCountResponseMut<'msg> {
  type Proxied = GreetCountResponse;
  fn as_view(&self) -> ::protobuf::View<'_, GreetCountResponse> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetCountResponseMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetCountResponse>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetCountResponseMut<'msg> {
  type MutProxied = GreetCountResponse;
  fn as_mut(&mut self) -> GreetCountResponseMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetCountResponseMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetCountResponseMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetCountResponse {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetCountResponse> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetCountResponseView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetCountResponseMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // count: optional int32
  pub fn count(&self) -> i32 {
    unsafe {
      // TODO: b/361751487: This .into() and .try_into() is only
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      // perfectly (and do an unchecked conversion for
      // i32->enum types, since even for closed enums we trust
      // upb to only return one of the named values).
      self.inner.ptr().get_i32_at_index(
        0, (0i32).into()
      ).try_into().unwrap()
    }
  }
  pub fn set_count(&mut self, val: i32) {
    unsafe {
      // TODO: b/361751487: This .into() is only here
      // here for the enum<->i32 case, we should avoid it for
      // other primitives where the types naturally match
      //perfectly.
      self.inner.ptr_mut().set_base_field_i32_at_index(
        0, val.into()
      )
    }
  }

}  // impl GreetCountResponse

impl ::std::ops::Drop for GreetCountResponse {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetCountResponse {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetCountResponse {
  type Proxied = Self;
  fn as_view(&self) -> GreetCountResponseView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetCountResponse {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetCountResponseMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetCountResponse {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetCountResponse_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$(P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetCountResponse_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetCountResponse_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetCountResponse {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetCountResponse {
  type Msg = GreetCountResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountResponse {
  type Msg = GreetCountResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetCountResponseMut<'_> {
  type Msg = GreetCountResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountResponseMut<'_> {
  type Msg = GreetCountResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetCountResponseView<'_> {
  type Msg = GreetCountResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetCountResponse> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetCountResponseMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetChatRequest_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetChatRequest {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetChatRequest>
}

impl ::protobuf::Message for GreetChatRequest {
  type MessageView<'msg> = GreetChatRequestView<'msg>;
  type MessageMut<'msg> = GreetChatRequestMut<'msg>;
}

impl ::std::default::Default for GreetChatRequest {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetChatRequest {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetChatRequest` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetChatRequestMut`.
unsafe impl ::std::marker::Sync for GreetChatRequest {}

// SAFETY:
// - `GreetChatRequest` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetChatRequest {}

impl ::protobuf::Proxied for GreetChatRequest {
  type View<'msg> = GreetChatRequestView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetChatRequest {}

impl ::protobuf::MutProxied for GreetChatRequest {
  type Mut<'msg> = GreetChatRequestMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetChatRequestView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetChatRequestView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetChatRequestView<'msg> {
  type Message = GreetChatRequest;
}

impl ::std::fmt::Debug for GreetChatRequestView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetChatRequestView<'_> {
  fn default() -> GreetChatRequestView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatRequest>> for GreetChatRequestView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetChatRequestView<'msg> {

  pub fn to_owned(&self) -> GreetChatRequest {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // name: optional string
  pub fn name(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetChatRequestView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetChatRequestView<'_> {}

// SAFETY:
// - `GreetChatRequestView` is `Send` because while its alive a `GreetChatRequestMut` cannot.
// - `GreetChatRequestView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetChatRequestView<'_> {}

impl<'msg> ::protobuf::AsView for GreetChatRequestView<'msg> {
  type Proxied = GreetChatRequest;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetChatRequest> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetChatRequestView<'msg> {
  fn into_view<'shorter>(self) -> GreetChatRequestView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetChatRequest> for GreetChatRequestView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetChatRequest {
    let mut dst = GreetChatRequest::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetChatRequest> for GreetChatRequestMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetChatRequest {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetChatRequest {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetChatRequestView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetChatRequestMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetChatRequestMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatRequest>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetChatRequestMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetChatRequestMut<'msg> {
  type Message = GreetChatRequest;
}

impl ::std::fmt::Debug for GreetChatRequestMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatRequest>> for GreetChatRequestMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatRequest>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetChatRequestMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatRequest> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetChatRequest {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetChatRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetChatRequestMut<'_> {}

// SAFETY:
// - `GreetChatRequestMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetChatRequestMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetChatRequestMut<'msg> {
  type Proxied = GreetChatRequest;
  fn as_view(&self) -> ::protobuf::View<'_, GreetChatRequest> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetChatRequestMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetChatRequest>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetChatRequestMut<'msg> {
  type MutProxied = GreetChatRequest;
  fn as_mut(&mut self) -> GreetChatRequestMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetChatRequestMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetChatRequestMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetChatRequest {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetChatRequest> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetChatRequestView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetChatRequestMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // name: optional string
  pub fn name(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_name(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetChatRequest

impl ::std::ops::Drop for GreetChatRequest {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetChatRequest {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetChatRequest {
  type Proxied = Self;
  fn as_view(&self) -> GreetChatRequestView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetChatRequest {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetChatRequestMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetChatRequest {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetChatRequest_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetChatRequest_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetChatRequest_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetChatRequest {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetChatRequest {
  type Msg = GreetChatRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatRequest {
  type Msg = GreetChatRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetChatRequestMut<'_> {
  type Msg = GreetChatRequest;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatRequest> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatRequestMut<'_> {
  type Msg = GreetChatRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatRequest> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatRequestView<'_> {
  type Msg = GreetChatRequest;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatRequest> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetChatRequestMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



// This variable must not be referenced except by protobuf generated
// code.
pub(crate) static mut greet__v1__GreetChatResponse_msg_init: ::protobuf::__internal::runtime::MiniTableInitPtr =
    ::protobuf::__internal::runtime::MiniTableInitPtr(::protobuf::__internal::runtime::MiniTablePtr::dangling());
#[allow(non_camel_case_types)]
pub struct GreetChatResponse {
  inner: ::protobuf::__internal::runtime::OwnedMessageInner<GreetChatResponse>
}

impl ::protobuf::Message for GreetChatResponse {
  type MessageView<'msg> = GreetChatResponseView<'msg>;
  type MessageMut<'msg> = GreetChatResponseMut<'msg>;
}

impl ::std::default::Default for GreetChatResponse {
  fn default() -> Self {
    Self::new()
  }
}

impl ::std::fmt::Debug for GreetChatResponse {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

// SAFETY:
// - `GreetChatResponse` is `Sync` because it does not implement interior mutability.
//    Neither does `GreetChatResponseMut`.
unsafe impl ::std::marker::Sync for GreetChatResponse {}

// SAFETY:
// - `GreetChatResponse` is `Send` because it uniquely owns its arena and does
//   not use thread-local data.
unsafe impl ::std::marker::Send for GreetChatResponse {}

impl ::protobuf::Proxied for GreetChatResponse {
  type View<'msg> = GreetChatResponseView<'msg>;
}

impl ::protobuf::__internal::SealedInternal for GreetChatResponse {}

impl ::protobuf::MutProxied for GreetChatResponse {
  type Mut<'msg> = GreetChatResponseMut<'msg>;
}

#[derive(Copy, Clone)]
#[allow(dead_code)]
pub struct GreetChatResponseView<'msg> {
  inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetChatResponseView<'msg> {}

impl<'msg> ::protobuf::MessageView<'msg> for GreetChatResponseView<'msg> {
  type Message = GreetChatResponse;
}

impl ::std::fmt::Debug for GreetChatResponseView<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl ::std::default::Default for GreetChatResponseView<'_> {
  fn default() -> GreetChatResponseView<'static> {
    ::protobuf::__internal::runtime::MessageViewInner::default().into()
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatResponse>> for GreetChatResponseView<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageViewInner<'msg, GreetChatResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetChatResponseView<'msg> {

  pub fn to_owned(&self) -> GreetChatResponse {
    ::protobuf::IntoProxied::into_proxied(*self, ::protobuf::__internal::Private)
  }

  // greeting: optional string
  pub fn greeting(self) -> ::protobuf::View<'msg, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }

}

// SAFETY:
// - `GreetChatResponseView` is `Sync` because it does not support mutation.
unsafe impl ::std::marker::Sync for GreetChatResponseView<'_> {}

// SAFETY:
// - `GreetChatResponseView` is `Send` because while its alive a `GreetChatResponseMut` cannot.
// - `GreetChatResponseView` does not use thread-local data.
unsafe impl ::std::marker::Send for GreetChatResponseView<'_> {}

impl<'msg> ::protobuf::AsView for GreetChatResponseView<'msg> {
  type Proxied = GreetChatResponse;
  fn as_view(&self) -> ::protobuf::View<'msg, GreetChatResponse> {
    *self
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetChatResponseView<'msg> {
  fn into_view<'shorter>(self) -> GreetChatResponseView<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetChatResponse> for GreetChatResponseView<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetChatResponse {
    let mut dst = GreetChatResponse::new();
    assert!(unsafe {
      dst.inner.ptr_mut().deep_copy(self.inner.ptr(), dst.inner.arena())
    });
    dst
  }
}

impl<'msg> ::protobuf::IntoProxied<GreetChatResponse> for GreetChatResponseMut<'msg> {
  fn into_proxied(self, _private: ::protobuf::__internal::Private) -> GreetChatResponse {
    ::protobuf::IntoProxied::into_proxied(::protobuf::IntoView::into_view(self), _private)
  }
}

impl ::protobuf::__internal::EntityType for GreetChatResponse {
    type Tag = ::protobuf::__internal::entity_tag::MessageTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetChatResponseView<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::ViewProxyTag;
}

impl<'msg> ::protobuf::__internal::EntityType for GreetChatResponseMut<'msg> {
    type Tag = ::protobuf::__internal::entity_tag::MutProxyTag;
}

#[allow(dead_code)]
#[allow(non_camel_case_types)]
pub struct GreetChatResponseMut<'msg> {
  inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatResponse>,
}

impl<'msg> ::protobuf::__internal::SealedInternal for GreetChatResponseMut<'msg> {}

impl<'msg> ::protobuf::MessageMut<'msg> for GreetChatResponseMut<'msg> {
  type Message = GreetChatResponse;
}

impl ::std::fmt::Debug for GreetChatResponseMut<'_> {
  fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
    write!(f, "{}", ::protobuf::__internal::runtime::debug_string(self))
  }
}

impl<'msg> From<::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatResponse>> for GreetChatResponseMut<'msg> {
  fn from(inner: ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatResponse>) -> Self {
    Self { inner }
  }
}

#[allow(dead_code)]
impl<'msg> GreetChatResponseMut<'msg> {

  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private)
    -> ::protobuf::__internal::runtime::MessageMutInner<'msg, GreetChatResponse> {
    self.inner.reborrow()
  }

  pub fn to_owned(&self) -> GreetChatResponse {
    ::protobuf::AsView::as_view(self).to_owned()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}

// SAFETY:
// - `GreetChatResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Send for GreetChatResponseMut<'_> {}

// SAFETY:
// - `GreetChatResponseMut` does not perform any shared mutation.
unsafe impl ::std::marker::Sync for GreetChatResponseMut<'_> {}

impl<'msg> ::protobuf::AsView for GreetChatResponseMut<'msg> {
  type Proxied = GreetChatResponse;
  fn as_view(&self) -> ::protobuf::View<'_, GreetChatResponse> {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::IntoView<'msg> for GreetChatResponseMut<'msg> {
  fn into_view<'shorter>(self) -> ::protobuf::View<'shorter, GreetChatResponse>
  where
      'msg: 'shorter {
    self.inner.as_view().into()
  }
}

impl<'msg> ::protobuf::AsMut for GreetChatResponseMut<'msg> {
  type MutProxied = GreetChatResponse;
  fn as_mut(&mut self) -> GreetChatResponseMut<'msg> {
    self.inner.reborrow().into()
  }
}

impl<'msg> ::protobuf::IntoMut<'msg> for GreetChatResponseMut<'msg> {
  fn into_mut<'shorter>(self) -> GreetChatResponseMut<'shorter>
  where
      'msg: 'shorter {
    self
  }
}

#[allow(dead_code)]
impl GreetChatResponse {
  pub fn new() -> Self {
    Self { inner: ::protobuf::__internal::runtime::OwnedMessageInner::<Self>::new() }
  }


  #[doc(hidden)]
  pub fn as_message_mut_inner(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessageMutInner<'_, GreetChatResponse> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner)
  }

  pub fn as_view(&self) -> GreetChatResponseView<'_> {
    ::protobuf::__internal::runtime::MessageViewInner::view_of_owned(&self.inner).into()
  }

  pub fn as_mut(&mut self) -> GreetChatResponseMut<'_> {
    ::protobuf::__internal::runtime::MessageMutInner::mut_of_owned(&mut self.inner).into()
  }

  // greeting: optional string
  pub fn greeting(&self) -> ::protobuf::View<'_, ::protobuf::ProtoString> {
    let str_view = unsafe {
      self.inner.ptr().get_string_at_index(
        0, (b"").into()
      )
    };
    ::protobuf::ProtoStr::from_utf8_unchecked(unsafe { str_view.as_ref() })
  }
  pub fn set_greeting(&mut self, val: impl ::protobuf::IntoProxied<::protobuf::ProtoString>) {
    unsafe {
      ::protobuf::__internal::runtime::message_set_string_field(
        ::protobuf::AsMut::as_mut(self).inner,
        0,
        val);
    }
  }

}  // impl GreetChatResponse

impl ::std::ops::Drop for GreetChatResponse {
  #[inline]
  fn drop(&mut self) {
  }
}

impl ::std::clone::Clone for GreetChatResponse {
  fn clone(&self) -> Self {
    self.as_view().to_owned()
  }
}

impl ::protobuf::AsView for GreetChatResponse {
  type Proxied = Self;
  fn as_view(&self) -> GreetChatResponseView<'_> {
    self.as_view()
  }
}

impl ::protobuf::AsMut for GreetChatResponse {
  type MutProxied = Self;
  fn as_mut(&mut self) -> GreetChatResponseMut<'_> {
    self.as_mut()
  }
}

unsafe impl ::protobuf::__internal::runtime::AssociatedMiniTable for GreetChatResponse {
  fn mini_table() -> ::protobuf::__internal::runtime::MiniTablePtr {
    static ONCE_LOCK: ::std::sync::OnceLock<::protobuf::__internal::runtime::MiniTableInitPtr> =
        ::std::sync::OnceLock::new();
    unsafe {
      ONCE_LOCK.get_or_init(|| {
        super::greet_v1_greet_proto::greet__v1__GreetChatResponse_msg_init.0 =
            ::protobuf::__internal::runtime::build_mini_table("$M1P");
        ::protobuf::__internal::runtime::link_mini_table(
            super::greet_v1_greet_proto::greet__v1__GreetChatResponse_msg_init.0, &[], &[]);
        ::protobuf::__internal::runtime::MiniTableInitPtr(super::greet_v1_greet_proto::greet__v1__GreetChatResponse_msg_init.0)
      }).0
    }
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetChatResponse {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetChatResponse {
  type Msg = GreetChatResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatResponse {
  type Msg = GreetChatResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtrMut for GreetChatResponseMut<'_> {
  type Msg = GreetChatResponse;
  fn get_ptr_mut(&mut self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatResponse> {
    self.inner.ptr_mut()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatResponseMut<'_> {
  type Msg = GreetChatResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatResponse> {
    self.inner.ptr()
  }
}
unsafe impl ::protobuf::__internal::runtime::UpbGetMessagePtr for GreetChatResponseView<'_> {
  type Msg = GreetChatResponse;
  fn get_ptr(&self, _private: ::protobuf::__internal::Private) -> ::protobuf::__internal::runtime::MessagePtr<GreetChatResponse> {
    self.inner.ptr()
  }
}

unsafe impl ::protobuf::__internal::runtime::UpbGetArena for GreetChatResponseMut<'_> {
  fn get_arena(&mut self, _private: ::protobuf::__internal::Private) -> &::protobuf::__internal::runtime::Arena {
    self.inner.arena()
  }
}



