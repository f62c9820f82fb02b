import type { webhooks } from '#partner-api';

/**
 * The body of a webhook, by pair.
 * @example
 * type Paid = WebhookPayload<'RequestPayment.payed'>;
 * @public
 */
export type WebhookPayload<Pair extends keyof webhooks> =
  webhooks[Pair]['post']['requestBody']['content']['application/json'];
