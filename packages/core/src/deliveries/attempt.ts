import type { FindParent } from '../accounts/find-parent.ts';
import { atTime } from '../endpoints/changes.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isReservedHeader } from '../endpoints/reserved-header.ts';
import type { EndpointSealer } from '../endpoints/webhook-secret.ts';
import { envelopeText } from '../events/envelope.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, toSeconds } from '../runtime/time.ts';
import { type ErrorListener, errorName, type Observer } from '../signals/signal.ts';
import { type StandardKey, standardHeaders, standardKey } from '../signature/standard-webhooks.ts';
import { type SigningKey, signatureHeader, signBody, signingKey } from '../signature/webhook-signature.ts';
import { checkOutcome } from './check-outcome.ts';
import { deliveryIdOf } from './delivery-id.ts';
import type { DeliveryInHand } from './in-hand.ts';
import { redacting } from './redact.ts';
import { isRetryAfter } from './retry-schedule.ts';
import type { Sender, SendOutcome } from './sender.ts';

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
  readonly observe: Observer | undefined;
  readonly tellError: ErrorListener;
  readonly userAgent: string;
  readonly deadline: DurationMs;
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
  observe,
  tellError,
  userAgent,
  deadline,
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
    eventId: string,
    body: string,
    { signing, standard, apiKey }: Opened,
  ): Readonly<Record<string, string>> => ({
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(apiKey ? { [apiKey.header]: apiKey.value } : {}),
    [signatureHeader]: signBody(signing, body),
    ...(standard.length > 0 ? standardHeaders(standard, eventId, toSeconds(clock.now()), body) : {}),
  });

  /** Whether the account that an event happened to is a child still. */
  const isChild = async (origin: string, accountId: string): Promise<boolean> => {
    const parent = await findParent(origin);
    if (parent.isErr()) throw parent.error.cause;
    return parent.value === accountId;
  };

  return {
    /** Never rejects. `out_of_reach`: it was not sent, since the account of its event is no child any more. */
    make: async (delivery: DeliveryInHand): Promise<SendOutcome> => {
      const startedAt = clock.now();
      const { event, timestamp } = delivery.event;
      try {
        if (event.origin !== undefined && !(await isChild(event.origin, event.accountId)))
          return { kind: 'failed', reason: 'out_of_reach', took: 0 };
        // As it is now: the directory may have taken its time.
        const { endpoint } = delivery.lane;
        const left =
          event.origin === undefined ? deadline : Math.max(deadline - Math.max(clock.now() - startedAt, 0), 1);
        delivery.event.body ??= envelopeText(timestamp, event.bodyTail);
        const { body } = delivery.event;
        const keys = open(endpoint);
        const headers = headersFor(event.id, body, keys);
        return loggable(checkOutcome(await sender.send({ url: endpoint.url, headers, body, deadline: left })), keys);
      } catch (cause) {
        // A sealing key that is gone, a directory that is down, or a sender that broke its promise: retried like any failure, while someone
        // mends it.
        observe?.({ kind: 'worker_error', during: 'attempt', error: errorName(cause) });
        tellError(cause, { deliveryId: deliveryIdOf(delivery) });
        return { kind: 'failed', reason: 'internal', took: Math.max(clock.now() - startedAt, 0) };
      }
    },
    /** An attempt whose sender has not answered long after its deadline. */
    giveUp: (): SendOutcome => {
      observe?.({ kind: 'worker_error', during: 'attempt', error: { name: 'SenderNeverSettled' } });
      return { kind: 'failed', reason: 'internal', took: deadline };
    },
  };
};

/** @internal */
export type Attempts = ReturnType<typeof createAttempt>;
