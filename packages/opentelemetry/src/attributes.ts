import type { Attributes } from '@opentelemetry/api';
import type { Signal } from '@partnerkit/core';

/** Attributes of an operation, by the semantic conventions for messaging. */
export const messaging = (
  name: 'publish' | 'dispatch' | 'deliver' | 'handle',
  type: 'send' | 'process',
): Attributes => ({
  'messaging.system': 'partnerkit',
  'messaging.operation.name': name,
  'messaging.operation.type': type,
});

/** `error.type` of a failed attempt: its HTTP status, or why there was none. */
export const errorType = ({
  next,
  outcome,
}: Extract<Signal, { readonly kind: 'attempt' | 'handler_attempt' }>): Attributes =>
  next === 'delivered' || next === 'handled' ? {} : { 'error.type': String(outcome) };
