import { atTime } from '../endpoints/changes.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointSealer } from '../endpoints/webhook-secret.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, toSeconds } from '../runtime/time.ts';
import { type ErrorListener, errorName, type Observer } from '../signals/signal.ts';
import { type StandardKey, standardHeaders, standardKey } from '../signature/standard-webhooks.ts';
import { type SigningKey, signatureHeader, signBody, signingKey } from '../signature/webhook-signature.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';
import { isRetryAfter } from './retry-schedule.ts';
import type { Sender, SendOutcome } from './sender.ts';
import { settlementOf } from './settlement.ts';

/** What an endpoint's deliveries are sent with, in clear: made once, kept in memory only. */
interface Opened {
  readonly signing: SigningKey;
  readonly standard: readonly StandardKey[];
  readonly apiKey: { readonly header: string; readonly value: string; readonly spellings: RegExp } | undefined;
}

/** @internal */
export interface AttemptDeps {
  readonly sender: Sender;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly tellError: ErrorListener;
  readonly userAgent: string;
  readonly deadline: DurationMs;
}

/** Signs that have a name in HTML, or a second spelling in forms. */
const named: Readonly<Record<string, string>> = { ' ': '\\+', '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0');
const literal = (text: string): string => text.replace(/\W/g, (sign) => `\\x${hexOf(sign)}`);

/**
 * Finds a secret as it is, and as JSON, URLs, forms and HTML write its signs. No part of the pattern matches one text in two
 * ways, or a receiver could keep the worker busy with an answer.
 */
const anySpelling = (secret: string): RegExp => {
  const signs = Array.from(secret, (sign) => {
    if (/\w/.test(sign)) return sign;
    const hex = hexOf(sign);
    const escaped = sign === '\\' ? '' : '\\\\?';
    const plain = [
      `${escaped}\\x${hex}`,
      `\\\\u00${hex}`,
      `%${hex}`,
      `&#x0{0,4}${hex};`,
      `&#0{0,4}${sign.charCodeAt(0)};`,
    ];
    return `(?:${[...plain, ...(named[sign] === undefined ? [] : [named[sign]])].join('|')})`;
  });
  return new RegExp(`${literal(JSON.stringify(secret).slice(1, -1))}|${signs.join('')}`, 'gi');
};

/** A secret that the end of what was read cuts in two. */
const withoutTail = (body: string, secret: string): string => {
  for (let length = Math.min(secret.length - 1, body.length); length >= 4; length--) {
    if (body.endsWith(secret.slice(0, length))) return `${body.slice(0, -length)}[redacted]`;
  }
  return body;
};

/**
 * What of an answer is logged. A receiver may send back what it received: the API key goes into no log. It may also send what
 * no database takes for text.
 */
const loggable = (outcome: SendOutcome, { apiKey }: Opened): SendOutcome => {
  if (outcome.kind !== 'answered') return outcome;
  const { retryAfter, ...answer } = outcome;
  const cut =
    apiKey && answer.body !== ''
      ? withoutTail(answer.body.replace(apiKey.spellings, '[redacted]'), apiKey.value)
      : answer.body;
  const body = cut.toWellFormed().replaceAll('\0', '\uFFFD');
  return { ...answer, body, ...(retryAfter !== undefined && isRetryAfter(retryAfter) ? { retryAfter } : {}) };
};

/**
 * One attempt (specification §4.3, §5.2, §5.3): headers and signature are made anew, the bytes are those that were stamped.
 * @internal
 */
export const createAttempt = ({
  sender,
  sealer,
  clock,
  random,
  observe,
  tellError,
  userAgent,
  deadline,
}: AttemptDeps) => {
  const opened = createCache<Opened>(2_000);

  const openApiKey = (endpoint: Endpoint, { header, value: sealed }: NonNullable<Endpoint['apiKey']>) => {
    const value = sealer.openApiKey(endpoint, sealed);
    return { header: header.toLowerCase(), value, spellings: anySpelling(value) };
  };

  const open = (stored: Endpoint): Opened => {
    const endpoint = atTime(stored, clock.now());
    // Every sealing has its own nonce, so the sealed texts name what they hold; its owner is part of what they are bound to.
    const { accountId, id, secret: sealed, nextSecret, apiKey, standardWebhooks } = endpoint;
    const key = JSON.stringify([accountId, id, sealed, nextSecret, apiKey?.header, apiKey?.value, standardWebhooks]);
    const known = opened.get(key);
    if (known) return known;
    const secret = sealer.openSecret(endpoint, endpoint.secret);
    const next = endpoint.nextSecret === undefined ? [] : [sealer.openSecret(endpoint, endpoint.nextSecret)];
    const made: Opened = {
      signing: signingKey(secret),
      standard: endpoint.standardWebhooks ? [secret, ...next].map(standardKey) : [],
      apiKey: apiKey && openApiKey(endpoint, apiKey),
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

  const settlement = (delivery: ClaimedDelivery, outcome: SendOutcome): Settlement =>
    settlementOf(delivery, outcome, () => fraction(random), clock.now());

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
      tellError(cause, { deliveryId: delivery.deliveryId });
      return { kind: 'failed', reason: 'internal', took: Math.max(clock.now() - startedAt, 0) };
    }
  };

  return {
    /** Never rejects. */
    make: async (delivery: ClaimedDelivery): Promise<Settlement> => settlement(delivery, await post(delivery)),
    /** An attempt whose sender never answered, long after its deadline. */
    giveUp: (delivery: ClaimedDelivery): Settlement => {
      observe({ kind: 'worker_trouble', during: 'attempt', error: { name: 'SenderNeverSettled' } });
      return settlement(delivery, { kind: 'failed', reason: 'internal', took: deadline });
    },
  };
};

/** @internal */
export type Attempts = ReturnType<typeof createAttempt>;
