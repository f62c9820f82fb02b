import type { FindParent } from '../accounts/find-parent.ts';
import { atTime } from '../endpoints/changes.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isReservedHeader } from '../endpoints/reserved-header.ts';
import type { EndpointSealer } from '../endpoints/webhook-secret.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, toSeconds } from '../runtime/time.ts';
import { type ErrorListener, errorName, type Observer } from '../signals/signal.ts';
import { type StandardKey, standardHeaders, standardKey } from '../signature/standard-webhooks.ts';
import { type SigningKey, signatureHeader, signBody, signingKey } from '../signature/webhook-signature.ts';
import { checkOutcome } from './check-outcome.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';
import { redacting } from './redact.ts';
import { isRetryAfter } from './retry-schedule.ts';
import type { Sender, SendOutcome } from './sender.ts';
import { outOfReach, settlementOf } from './settlement.ts';

/** What an endpoint's deliveries are sent with, in clear: made once, kept in memory only. */
interface Opened {
  readonly endpoint: Endpoint;
  readonly signing: SigningKey;
  readonly standard: readonly StandardKey[];
  readonly apiKey:
    | { readonly header: string; readonly value: string; readonly redact: (text: string) => string }
    | undefined;
}

/** @internal */
export interface AttemptDeps {
  readonly sender: Sender;
  readonly findParent: FindParent;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly tellError: ErrorListener;
  readonly userAgent: string;
  readonly deadline: DurationMs;
  readonly schedule: readonly DurationMs[];
}

/** Every sealing has its own nonce, so the sealed texts name what they hold; its owner and URL are part of what they are bound to. */
const haveSameKeys = (a: Endpoint, b: Endpoint): boolean =>
  a.accountId === b.accountId &&
  a.id === b.id &&
  a.url === b.url &&
  a.secret === b.secret &&
  a.nextSecret === b.nextSecret &&
  a.standardWebhooks === b.standardWebhooks &&
  a.apiKey?.header === b.apiKey?.header &&
  a.apiKey?.value === b.apiKey?.value;

/**
 * What of an answer is logged. A receiver may send back what it received: the API key goes into no log. It may also send what
 * no database takes for text.
 */
const loggable = (outcome: SendOutcome, { apiKey }: Opened): SendOutcome => {
  if (outcome.kind !== 'answered') return outcome;
  const { retryAfter, ...answer } = outcome;
  const body = (apiKey?.redact(answer.body) ?? answer.body).toWellFormed().replaceAll('\0', '\uFFFD');
  return { ...answer, body, ...(retryAfter !== undefined && isRetryAfter(retryAfter) ? { retryAfter } : {}) };
};

/**
 * One attempt (specification §4.3, §5.2, §5.3): headers and signature are made anew, the bytes are those that were stamped.
 * @internal
 */
export const createAttempt = ({
  sender,
  findParent,
  sealer,
  clock,
  random,
  observe,
  tellError,
  userAgent,
  deadline,
  schedule,
}: AttemptDeps) => {
  const opened = createCache<Opened>(2_000);

  const openApiKey = (endpoint: Endpoint, apiKey: NonNullable<Endpoint['apiKey']>) => {
    // It was checked when it was stored; the store may have been written to since.
    if (isReservedHeader(apiKey.header))
      throw Object.assign(new Error(`The API-key header of ${endpoint.id} is reserved.`), { code: 'reserved_header' });
    const value = sealer.openApiKey(endpoint, apiKey);
    return { header: apiKey.header.toLowerCase(), value, redact: redacting(value) };
  };

  const open = (stored: Endpoint): Opened => {
    const endpoint = atTime(stored, clock.now());
    const known = opened.get(endpoint.secret);
    if (known && haveSameKeys(known.endpoint, endpoint)) return known;
    const secret = sealer.openSecret(endpoint, endpoint.secret);
    const next = endpoint.nextSecret === undefined ? [] : [sealer.openSecret(endpoint, endpoint.nextSecret)];
    const made: Opened = {
      endpoint,
      signing: signingKey(secret),
      standard: endpoint.standardWebhooks ? [secret, ...next].map(standardKey) : [],
      apiKey: endpoint.apiKey && openApiKey(endpoint, endpoint.apiKey),
    };
    opened.set(endpoint.secret, made);
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
    settlementOf(delivery, outcome, () => fraction(random), clock.now(), schedule);

  /** Whether the account that an event happened to is a child still. */
  const isChild = async (origin: string, accountId: string): Promise<boolean> => {
    const parent = await findParent(origin);
    if (parent.isErr()) throw parent.error.cause;
    return parent.value === accountId;
  };

  /** Nothing, when it may not be sent. */
  const post = async (delivery: ClaimedDelivery): Promise<SendOutcome | undefined> => {
    const startedAt = clock.now();
    const { accountId, origin } = delivery.event;
    try {
      if (origin !== undefined && !(await isChild(origin, accountId))) return undefined;
      const keys = open(delivery.endpoint);
      const headers = headersFor(delivery, keys);
      const post = { url: delivery.endpoint.url, headers, body: delivery.event.body, deadline };
      return loggable(checkOutcome(await sender.send(post)), keys);
    } catch (cause) {
      // A sealing key that is gone, a directory that is down, or a sender that broke its promise: retried like any failure, while someone
      // mends it.
      observe({ kind: 'worker_trouble', during: 'attempt', error: errorName(cause) });
      tellError(cause, { deliveryId: delivery.deliveryId });
      return { kind: 'failed', reason: 'internal', took: Math.max(clock.now() - startedAt, 0) };
    }
  };

  return {
    /** Never rejects. */
    make: async (delivery: ClaimedDelivery): Promise<Settlement> => {
      const outcome = await post(delivery);
      return outcome ? settlement(delivery, outcome) : outOfReach(delivery);
    },
    /** An attempt whose sender never answered, long after its deadline. */
    giveUp: (delivery: ClaimedDelivery): Settlement => {
      observe({ kind: 'worker_trouble', during: 'attempt', error: { name: 'SenderNeverSettled' } });
      return settlement(delivery, { kind: 'failed', reason: 'internal', took: deadline });
    },
  };
};

/** @internal */
export type Attempts = ReturnType<typeof createAttempt>;
