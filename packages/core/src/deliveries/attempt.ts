import { atTime } from '../endpoints/changes.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointSealer } from '../endpoints/webhook-secret.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, toSeconds } from '../runtime/time.ts';
import { errorName, type Observer } from '../signals/signal.ts';
import { type StandardKey, standardHeaders, standardKey } from '../signature/standard-webhooks.ts';
import { type SigningKey, signatureHeader, signBody, signingKey } from '../signature/webhook-signature.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';
import { isDelivered, retryDelay } from './retry-schedule.ts';
import type { Sender, SendOutcome } from './sender.ts';

/** What an endpoint's deliveries are sent with, in clear: made once, kept in memory only. */
interface Opened {
  readonly signing: SigningKey;
  readonly standard: readonly StandardKey[];
  readonly apiKey: { readonly header: string; readonly value: string } | undefined;
}

/** @internal */
export interface AttemptDeps {
  readonly sender: Sender;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly userAgent: string;
  readonly deadline: DurationMs;
}

/**
 * What of an answer is logged. A receiver may send back what it received: the API key goes into no log. It may also send what
 * no database takes for text.
 */
const loggable = (outcome: SendOutcome, { apiKey }: Opened): SendOutcome => {
  if (outcome.kind !== 'answered' || outcome.body === '') return outcome;
  const secrets = apiKey ? [apiKey.value, JSON.stringify(apiKey.value).slice(1, -1)] : [];
  const body = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), outcome.body);
  return { ...outcome, body: body.toWellFormed().replaceAll('\0', '\uFFFD') };
};

/**
 * One attempt (specification §4.3, §5.2, §5.3): headers and signature are made anew, the bytes are those that were stamped.
 * @internal
 */
export const createAttempt = ({ sender, sealer, clock, random, observe, userAgent, deadline }: AttemptDeps) => {
  const opened = createCache<Opened>(2_000);

  const open = (stored: Endpoint): Opened => {
    const endpoint = atTime(stored, clock.now());
    // Every sealing has its own nonce: the sealed texts name what they hold.
    const key = [
      endpoint.secret,
      endpoint.nextSecret,
      endpoint.apiKey?.value,
      endpoint.apiKey?.header,
      endpoint.standardWebhooks,
    ].join(' ');
    const known = opened.get(key);
    if (known) return known;
    const secret = sealer.openSecret(endpoint, endpoint.secret);
    const next = endpoint.nextSecret === undefined ? [] : [sealer.openSecret(endpoint, endpoint.nextSecret)];
    const made: Opened = {
      signing: signingKey(secret),
      standard: endpoint.standardWebhooks ? [secret, ...next].map(standardKey) : [],
      apiKey: endpoint.apiKey && {
        header: endpoint.apiKey.header.toLowerCase(),
        value: sealer.openApiKey(endpoint, endpoint.apiKey.value),
      },
    };
    opened.set(key, made);
    return made;
  };

  const headersFor = (
    { event }: ClaimedDelivery,
    { signing, standard, apiKey }: Opened,
  ): Readonly<Record<string, string>> => ({
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(apiKey ? { [apiKey.header]: apiKey.value } : {}),
    [signatureHeader]: signBody(signing, event.body),
    ...(standard.length > 0 ? standardHeaders(standard, event.id, toSeconds(clock.now()), event.body) : {}),
  });

  const settlement = ({ deliveryId, lease, attempt }: ClaimedDelivery, outcome: SendOutcome): Settlement => {
    if (isDelivered(outcome)) return { deliveryId, lease, outcome, next: 'delivered' };
    const retryIn = retryDelay(attempt, outcome, fraction(random), clock.now());
    return { deliveryId, lease, outcome, next: retryIn === undefined ? 'exhausted' : { retryIn } };
  };

  const post = async (delivery: ClaimedDelivery): Promise<SendOutcome> => {
    const startedAt = clock.now();
    try {
      const keys = open(delivery.endpoint);
      const headers = headersFor(delivery, keys);
      return loggable(
        await sender.send({ url: delivery.endpoint.url, headers, body: delivery.event.body, deadline }),
        keys,
      );
    } catch (cause) {
      // A sealing key that is gone, or a sender that broke its promise: retried like any failure, while someone mends it.
      observe({ kind: 'worker_trouble', during: 'attempt', error: errorName(cause) });
      return { kind: 'failed', reason: 'internal', took: Math.max(clock.now() - startedAt, 0) };
    }
  };

  return async (delivery: ClaimedDelivery): Promise<Settlement> => settlement(delivery, await post(delivery));
};

/** @internal */
export type MakeAttempt = ReturnType<typeof createAttempt>;
