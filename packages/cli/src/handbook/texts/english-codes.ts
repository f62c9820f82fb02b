/** What each code means, and its remedy. */
export const englishCodes = {
  'code.account_not_active': 'The account is not active, so it may not use the API. Ask {name}.',
  'code.address_not_allowed':
    'The API key may be used from some networks only, and the request came from elsewhere. Send it from one of them.',
  'code.already_done': 'This was done before, or nothing is left to collect or refund. Read the object.',
  'code.amount_mismatch': 'The cash-out has another amount by now. Read it, and show the new offer.',
  'code.bad_request': 'The request cannot be read: its path, a header or its encoding is wrong. `detail` says which.',
  'code.changed_meanwhile': 'Other requests changed the object at the same time. Repeat.',
  'code.claim_ended': 'No cash-out can be created any more: `claimUntil` of the deposit has passed.',
  'code.endpoint_disabled': 'The webhook is disabled. Enable it first.',
  'code.exceeds_authorised': 'More would be secured than was authorised. Lower the amount.',
  'code.exceeds_cash_out': 'More would be collected than the cash-out asks for. Lower the amount.',
  'code.exceeds_collected': 'More would be refunded than was collected. Lower the amount.',
  'code.exceeds_deposit': 'The cash-outs would exceed the deposit. Lower the amount.',
  'code.exceeds_payment': 'More would be refunded than was paid. Lower the amount.',
  'code.exceeds_secured': 'More would be taken or released than is secured. Lower the amount.',
  'code.idempotency_conflict':
    'The `Idempotency-Key` belongs to another request: another path, or another JSON value. Use a new key for a new request.',
  'code.insufficient_scope':
    'The API key, or the scope of its access token, lacks the right that the answer names. Use a key that has it.',
  'code.internal': '{name} failed. Repeat later; if it stays, name `x-request-id` to {name}.',
  'code.invalid_client': 'The client id or the secret is wrong, or the key may not log in. Check the key.',
  'code.invalid_cursor': '`after` is no `next` of this list. Begin again without `after`.',
  'code.invalid_event':
    'This event cannot be sent as a test: `errors` names each field. Send the `sample` of the catalogue as `data`, without `id`.',
  'code.invalid_input': 'Fields of the body are wrong. `errors` names each one with its rule.',
  'code.invalid_query': 'Parameters of the query are wrong. `errors` names each one with its rule.',
  'code.invalid_request':
    'The request is malformed: a parameter is missing, repeated or of the wrong form, or the body is too large or of another type.',
  'code.invalid_scope': '`scope` is missing or unknown, or names a right that the API key does not have. Send `USER`.',
  'code.invalid_token': 'The access token is wrong, expired or revoked. Log in again.',
  'code.method_not_allowed': 'This path does not take that method. The header `Allow` names those it takes.',
  'code.missing_token': 'There is no access token. Send `Authorization: Bearer` and the token.',
  'code.money_booked':
    'Money is booked, so this cannot be cancelled or lowered. It must be released or refunded first.',
  'code.no_dispute': 'A dispute needs a claim of the recipient against a cash-out. Record the claim first.',
  'code.not_checked_in': 'The entry inspection is missing. Record it first.',
  'code.not_found': 'Nothing is here that this API key reaches. Check the path and the account.',
  'code.object_too_large': 'The object is too large to store. Shorten its texts.',
  'code.open_cash_outs': 'A deposit with open cash-outs cannot finish. Complete or cancel them.',
  'code.reference_taken':
    'Another object has this `reference`, and {name} wants each one once. Use another one, or read that object.',
  'code.temporarily_unavailable': 'Nothing was decided. Repeat as `Retry-After` says.',
  'code.too_large': 'The body is larger than this path takes. Send less.',
  'code.too_many_attempts': 'Too many failed logins. Wait as `Retry-After` says, and check the secret.',
  'code.too_many_cash_outs': 'The deposit has as many cash-outs as it may have.',
  'code.too_many_requests': 'A limit is exceeded. Wait as `Retry-After` says.',
  'code.unavailable':
    'The request got no answer in time. `detail` says whether nothing was decided, or whether it may have taken effect. Repeat it as `Retry-After` says, with the same `Idempotency-Key`; without one, read first.',
  'code.unsupported_grant_type': '`grant_type` must be `client_credentials`.',
  'code.unsupported_media_type': 'The body has another type. Send `Content-Type: application/json`.',
  'code.version_mismatch': 'The object has another version than `If-Match` names. Read it again, then repeat.',
  'code.version_required': 'Name the amount that you agree to, or send the `ETag` as `If-Match`.',
  'code.wrong_state': 'The state of the object does not allow this. Read the object: `status` says where it is.',
  'code.cursor_ahead':
    'The cursor is ahead of the events, as after a restored database. Continue with `resumeAfter` of the answer.',
  'code.cursor_expired':
    'The events behind the cursor are no longer stored. Continue with `resumeAfter` of the answer.',
  'code.delivery_header_needed':
    'A change of `url` to another origin gives `deliveryHeader` again, or removes it with `null`.',
  'code.endpoint_deleted': 'The webhook of the delivery was deleted. Create another one.',
  'code.event_dropped': 'The event is no longer stored, so it cannot be sent again.',
  'code.held': 'The delivery waits for a disabled webhook. Enable the webhook.',
  'code.no_next_secret': 'No next secret is prepared. Prepare one first.',
  'code.no_such_endpoint': 'The account has no such webhook. Check the id.',
  'code.no_such_event': 'The account has no such event, or it is no longer stored. Check the id.',
  'code.too_many_endpoints': 'The account has as many webhooks as it may have. Delete one.',
  'code.unfinished': 'Another delivery of the event to the webhook is unfinished. Wait for it.',
  'code.wrong_kind':
    'The operation does not fit the kind of the webhook: a `pull` webhook has neither deliveries nor a secret, a `push` webhook is not read.',
} as const;
