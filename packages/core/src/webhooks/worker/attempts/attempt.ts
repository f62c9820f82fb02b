import type { FindParent } from '../../../base/accounts/find-parent.ts';
import { createCache } from '../../../base/runtime/cache.ts';
import type { Clock } from '../../../base/runtime/clock.ts';
import { type DurationMs, toSeconds } from '../../../base/runtime/time.ts';
import { deliveryIdOf } from '../../deliveries/delivery-id.ts';
import type { Sender, SendOutcome } from '../../deliveries/sender.ts';
import { checkOutcome } from '../../delivery-rules/check-outcome.ts';
import { createRedactor } from '../../delivery-rules/redact.ts';
import { isRetryAfter } from '../../delivery-rules/retry-policy.ts';
import { atTime } from '../../endpoints/changes.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { isPushed, type PushEndpoint } from '../../endpoints/endpoint-kind.ts';
import { isReservedHeader } from '../../endpoints/reserved-header.ts';
import type { EndpointSealer } from '../../endpoints/webhook-secret.ts';
import { envelopeText } from '../../envelope/envelope.ts';
import { bodyIn } from '../../envelope/other-texts.ts';
import type { NewEvent } from '../../events/event.ts';
import { messageIdOf } from '../../signature/signature-scheme.ts';
import type { CheckedProfile, WireProfiles } from '../../signature/wire-profile.ts';
import type { ReportError } from '../context/error-reports.ts';
import type { LoadedDelivery, LoadedEvent } from '../memory/lane.ts';
import { createSigner } from './signers.ts';

/** The keys of an endpoint in clear text; cached in memory only. */
interface Opened {
  readonly endpoint: PushEndpoint;
  readonly profile: CheckedProfile;
  readonly sign: ReturnType<typeof createSigner>;
  readonly deliveryHeader:
    | { readonly name: string; readonly value: string; readonly redact: (text: string) => string }
    | undefined;
}

/** What attempts call. */
export interface AttemptDeps {
  /** Sends POSTs. */
  readonly sender: Sender;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  /** Opens sealed secrets. */
  readonly sealer: EndpointSealer;
  /** How requests look. */
  readonly profiles: WireProfiles;
  /** Source of time. */
  readonly clock: Clock;
  readonly reportError: ReportError;
  /** The `User-Agent` header. */
  readonly userAgent: string;
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
}

/** Endpoints whose keys are kept; twice as many at most, as there are idle accounts in memory: about 1 KB each. */
const maxOpened = 10_000;

/** The promise of the sender's `send` stayed pending long after the deadline. */
class SenderNeverSettled extends Error {
  override readonly name = 'SenderNeverSettled';
  constructor() {
    super('Sender.send did not settle within its deadline: it must resolve for every network failure.');
  }
}

/** Each sealing has its own nonce, so equal sealed texts hold equal secrets. Owner and URL are part of the binding. */
const haveSameKeys = (a: Endpoint, b: Endpoint): boolean =>
  a.accountId === b.accountId &&
  a.id === b.id &&
  a.url === b.url &&
  a.secret === b.secret &&
  a.nextSecret === b.nextSecret &&
  a.standardWebhooks === b.standardWebhooks &&
  a.profile === b.profile &&
  a.deliveryHeader?.name === b.deliveryHeader?.name &&
  a.deliveryHeader?.value === b.deliveryHeader?.value;

/**
 * The part of a response to log. A receiver may echo the API key, which is redacted, or send text that no database
 * stores.
 */
const loggable = (outcome: SendOutcome, { deliveryHeader }: Opened): SendOutcome => {
  if (outcome.kind !== 'answered') return outcome;
  const { retryAfter, ...answer } = outcome;
  const body = (deliveryHeader?.redact(answer.body) ?? answer.body).toWellFormed().replaceAll('\0', '\uFFFD');
  return { ...answer, body, ...(retryAfter !== undefined && isRetryAfter(retryAfter) ? { retryAfter } : {}) };
};

/**
 * Makes attempts (specification §4.3, §5.2, §5.3). Headers and signature are created anew; the body is
 * that of the dispatch.
 */
export const createAttempt = (deps: AttemptDeps) => {
  const { sender, findParent, sealer, profiles, clock, reportError, userAgent, deadline } = deps;
  const opened = createCache<Opened>(maxOpened);

  const openDeliveryHeader = (endpoint: Endpoint, deliveryHeader: NonNullable<Endpoint['deliveryHeader']>) => {
    // Checked when it was stored; the stored row may have changed since.
    if (isReservedHeader(deliveryHeader.name))
      throw Object.assign(new Error(`The delivery header of ${endpoint.id} is reserved.`), { code: 'reserved_header' });
    const value = sealer.openDeliveryHeader(endpoint, deliveryHeader);
    return { name: deliveryHeader.name.toLowerCase(), value, redact: createRedactor(value) };
  };

  const open = (stored: Endpoint): Opened => {
    const endpoint = atTime(stored, clock.now());
    // Checked when it was stored; the stored row may have changed since.
    if (!isPushed(endpoint))
      throw Object.assign(new Error(`The endpoint ${endpoint.id} has no URL or no secret.`), { code: 'wrong_kind' });
    const known = opened.get(endpoint.secret);
    if (known && haveSameKeys(known.endpoint, endpoint)) return known;
    const secret = sealer.openSecret(endpoint, endpoint.secret);
    const next = endpoint.nextSecret === undefined ? [] : [sealer.openSecret(endpoint, endpoint.nextSecret)];
    const profile = profiles.of(endpoint.profile);
    // The kit had this profile when the endpoint chose it.
    if (!profile)
      throw Object.assign(
        new Error(`The kit has no profile "${endpoint.profile}" in webhooks.profiles: add it again.`),
        {
          code: 'unknown_profile',
        },
      );
    const made: Opened = {
      endpoint,
      profile,
      sign: createSigner(profile, endpoint.standardWebhooks, [secret, ...next]),
      deliveryHeader: endpoint.deliveryHeader && openDeliveryHeader(endpoint, endpoint.deliveryHeader),
    };
    opened.set(endpoint.secret, made);
    return made;
  };

  const headersFor = (
    { id, objectName, type }: NewEvent,
    body: string,
    { endpoint, profile, sign, deliveryHeader }: Opened,
  ): Readonly<Record<string, string>> => {
    const now = clock.now();
    const timestamp = toSeconds(now);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(deliveryHeader ? { [deliveryHeader.name]: deliveryHeader.value } : {}),
      ...(profile.headersOf ? profile.headersOf({ id, timestamp, objectName, type }) : {}),
    };
    sign({ id, messageId: messageIdOf(id, endpoint.id), at: now, body, url: endpoint.url }, headers, now);
    return headers;
  };

  /** The body of an event, written once for all its endpoints. */
  const bodyFor = (loaded: LoadedEvent, { envelope }: CheckedProfile): string => {
    const { event, timestamp } = loaded;
    if (!envelope.write) {
      loaded.body ??= envelopeText(timestamp, event.bodyTail);
      return loaded.body;
    }
    loaded.otherBodies ??= new Map();
    const known = loaded.otherBodies.get(envelope.name);
    const body = known ?? bodyIn(envelope, event, timestamp);
    loaded.otherBodies.set(envelope.name, body);
    return body;
  };

  /** Whether the account of the original event is still a child. */
  const isChild = async (origin: string, accountId: string): Promise<boolean> => {
    const parent = await findParent(origin);
    if (parent.isErr()) throw parent.error.cause;
    return parent.value === accountId;
  };

  return {
    /**
     * Makes one attempt. Never rejects. `out_of_reach`: nothing was sent, because the event's account is no longer a
     * child.
     */
    make: async (delivery: LoadedDelivery): Promise<SendOutcome> => {
      const startedAt = clock.now();
      const { event } = delivery.event;
      try {
        if (event.origin !== undefined && !(await isChild(event.origin, event.accountId)))
          return { kind: 'failed', reason: 'out_of_reach', durationMs: 0 };
        // Read after the directory call: the endpoint may have changed meanwhile.
        const { endpoint } = delivery.lane;
        const left =
          event.origin === undefined ? deadline : Math.max(deadline - Math.max(clock.now() - startedAt, 0), 1);
        const keys = open(endpoint);
        const body = bodyFor(delivery.event, keys.profile);
        const headers = headersFor(event, body, keys);
        const { url } = keys.endpoint;
        return loggable(checkOutcome(await sender.send({ url, headers, body, deadline: left })), keys);
      } catch (cause) {
        // A missing sealing key, a failing directory or a sender that rejects: retried like any other failure.
        reportError('attempt', cause, { deliveryId: deliveryIdOf(delivery) });
        return { kind: 'failed', reason: 'internal', durationMs: Math.max(clock.now() - startedAt, 0) };
      }
    },
    /** The outcome of an attempt whose sender did not settle long after its deadline. */
    giveUp: (delivery: LoadedDelivery): SendOutcome => {
      reportError('attempt', new SenderNeverSettled(), { deliveryId: deliveryIdOf(delivery) });
      return { kind: 'failed', reason: 'internal', durationMs: deadline };
    },
  };
};

/** What {@link createAttempt} returns. */
export type Attempts = ReturnType<typeof createAttempt>;
