import type { webhooks } from './partner-api.ts';

/**
 * The body of a webhook, by pair.
 * @example
 * type Paid = WebhookPayload<'RequestPayment.payed'>;
 * @public
 */
export type WebhookPayload<Pair extends keyof webhooks> =
  webhooks[Pair]['post']['requestBody']['content']['application/json'];
