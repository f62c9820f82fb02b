import type { EventPairs, HttpRequest, HttpResponse, Route } from '@partnerkit/core';
import {
  type Clock,
  type DedupOptions,
  equalInConstantTime,
  fromUtf8,
  type Inbox,
  problemResponse,
  processOnce,
  readRequest,
  type SeenKeys,
  type StoredSeenKeys,
  systemClock,
  wrongAnswer,
} from '@partnerkit/core/adapter';
import { dedupKey, type Envelope, parseEnvelope, type WebhookEnvelope } from '@partnerkit/core/wire';
import { createSignatureCheck, headerText, type ReceiverProfile } from './check-signature.ts';
import { createWorkFinder, isInvalidData, type Processing } from './find-work.ts';
import type { HandlerNames, Schemas } from './handlers.ts';
import { type EventOrder, markerOf } from './latest.ts';
import { safeListener } from './safe-listener.ts';

/**
 * Options of the verification.
 * @public
 */
export interface VerifyOptions {
  /** The webhook secret; during a rotation also the next one. At least one; an empty one is refused. */
  readonly secrets: readonly string[];
  /**
   * How the requests of the sender look. Several while it changes over: a request must carry a signature of one of
   * them, and every signature of them that it carries must be valid. @defaultValue the specification's, with Standard
   * Webhooks
   */
  readonly profiles?: readonly ReceiverProfile[];
  /**
   * The ids of the endpoints that send to this receiver. A Standard Webhooks signature, `v1` or `v1a`, of a request for
   * another endpoint is then refused. `ed25519` needs it: one key signs for all partners. @defaultValue none, so
   * that only the secret says for whom a request is
   */
  readonly endpoints?: readonly string[];
  /** The URL of the endpoint, exactly as it was registered; for signatures that cover it. @defaultValue none */
  readonly url?: string;
  /** Whether to refuse requests without a Standard Webhooks signature (HMAC-SHA-256). @defaultValue false */
  readonly requireStandardWebhooks?: boolean;
  /** The delivery header of the endpoint: the API key of the specification (§5.2). @defaultValue none */
  readonly deliveryHeader?: {
    /** Name of the header. */
    readonly name: string;
    /** Value of the header. */
    readonly value: string;
  };
  /**
   * Receives the errors behind a 400 or 503: those of a handler, of `seen`, of `inbox` or of a schema. Also called,
   * with a 204, when an event was processed but its key could not be confirmed. An error that it throws is ignored.
   */
  readonly onError?: (cause: unknown, event: Envelope) => void;
  /** Source of time. @defaultValue the system clock */
  readonly clock?: Clock;
}

/**
 * Options to process an event before the response. The sender retries failed events.
 * @public
 */
export interface ProcessOptions<
  S extends Schemas<P>,
  P extends EventPairs = EventPairs,
  H = HandlerNames<P>,
  O extends EventOrder = undefined,
  Tx extends object = object,
> extends VerifyOptions,
    Processing<S, P, H, O, Tx> {
  /** Store of the keys of processed events; with `order`, in the database that the handlers write to. */
  readonly seen: O extends 'latest' ? StoredSeenKeys<Tx> : SeenKeys;
  /** Durations of deduplication. @defaultValue a lease of 1 minute, keys kept for 35 days */
  readonly dedup?: Pick<DedupOptions, 'lease' | 'keep'>;
  /** Not with `seen`. */
  readonly inbox?: never;
}

/**
 * Options to queue an event, respond, and process it later by a `createInboxWorker` of this or another process.
 * @public
 */
export interface EnqueueOptions extends VerifyOptions {
  /** The queue: an inbox, or `worker.inbox`, which also wakes the worker of this process. */
  readonly inbox: Pick<Inbox, 'enqueue'>;
  /** Not with `inbox`. */
  readonly seen?: never;
  /** An option of the worker. */
  readonly order?: never;
  /** An option of the worker. */
  readonly on?: never;
  /** An option of the worker. */
  readonly otherwise?: never;
  /** An option of the worker. */
  readonly schemas?: never;
  /** An option of the worker. */
  readonly catalogue?: never;
}

/**
 * Either {@link ProcessOptions} (`seen` and handlers) or {@link EnqueueOptions} (`inbox`).
 * @public
 */
export type ReceiverOptions<
  S extends Schemas<P>,
  P extends EventPairs = EventPairs,
  H = HandlerNames<P>,
  O extends EventOrder = undefined,
  Tx extends object = object,
> = ProcessOptions<S, P, H, O, Tx> | EnqueueOptions;

/**
 * A receiver of webhooks.
 * @public
 */
export interface Receiver {
  /** Verifies and processes a request. Never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Makes a route of {@link Receiver.handle}; mount it with an adapter. */
  route(path: `/${string}`): Route;
}

/** Handles a verified event and its text. */
type Accept = (event: Envelope, text: string) => Promise<HttpResponse>;

/** Reads a body in the envelope that its signature belongs to; of two that read it differently, in none. */
const readEvent = (envelopes: readonly WebhookEnvelope[], text: string): Envelope | undefined => {
  const read = envelopes.flatMap((envelope) => envelope.read?.(text) ?? []);
  const [first, ...others] = read;
  return first && others.every((other) => dedupKey(other) === dedupKey(first)) ? first : undefined;
};

/** Twice the maximum that a platform sends. */
const maxBytes = 512 * 1_024;
const details = {
  missing_signature: 'The signature is missing or does not fit the body.',
  wrong_signature: 'The signature is missing or does not fit the body.',
  wrong_endpoint: 'The request is for an endpoint that this receiver does not name.',
} as const;
/** A 401 must name a scheme (RFC 9110 §15.5.2), and HTTP has none for signatures. */
const unauthorized = (code: string, detail: string): HttpResponse =>
  problemResponse(401, code, detail, { headers: { 'www-authenticate': 'Webhook realm="receiver"' } });
const confirmed: HttpResponse = { status: 204, headers: {}, body: '' };

/** Processes an event, then responds. */
const processFirst = <S extends Schemas<P>, P extends EventPairs, H, O extends EventOrder, Tx extends object>(
  { seen, dedup, order, ...handling }: ProcessOptions<S, P, H, O, Tx>,
  report: (cause: unknown, event: Envelope) => void,
): Accept => {
  const workOn = createWorkFinder(handling, markerOf(order, seen, 'markIn', dedup?.keep));
  return async (event) => {
    const work = workOn(event);
    if (!work) return confirmed;
    try {
      const outcome = await processOnce(seen, dedupKey(event), work, {
        ...dedup,
        onForgotten: (cause) => report(cause, event),
      });
      if (outcome !== 'in_progress') return confirmed;
      return problemResponse(409, 'in_progress', 'This event is being processed; send it again if no answer came.', {
        headers: {
          'retry-after': '10',
        },
      });
    } catch (cause) {
      report(cause, event);
      return isInvalidData(cause)
        ? problemResponse(400, 'invalid_data', 'The data does not fit the schema of this receiver.')
        : problemResponse(503, 'handler_failed', 'The event was not processed; send it again.');
    }
  };
};

/** Queues an event in the envelope of the specification, then responds. A duplicate is already queued. */
const enqueueFirst =
  ({ inbox }: EnqueueOptions, report: (cause: unknown, event: Envelope) => void): Accept =>
  async (event, text) => {
    try {
      const isQueued: unknown = await inbox.enqueue(
        dedupKey(event),
        parseEnvelope(text) ? text : JSON.stringify(event),
      );
      if (typeof isQueued !== 'boolean') throw wrongAnswer('Inbox.enqueue', 'true, or false for a duplicate');
      return confirmed;
    } catch (cause) {
      report(cause, event);
      return problemResponse(503, 'not_kept', 'The event could not be kept; send it again.');
    }
  };

/**
 * Creates a receiver, which verifies, deduplicates and processes webhooks (specification §5.2, §5.3, §6.5). It
 * responds:
 *
 * - 204: the event is processed, queued, a duplicate, or has no handler.
 * - 400: the body is not an envelope, the schema refuses the data, or the connection closed early.
 * - 401: the API key or the signature is missing or wrong, or names another endpoint.
 * - 405: the method is not POST.
 * - 409: a duplicate is being processed.
 * - 413: the body is larger than 512 KiB.
 * - 500: a body parser ran before the receiver.
 * - 503: a handler, `seen` or `inbox` failed; the sender retries.
 * @example
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: memorySeenKeys(),
 *   on: { RequestPayment: { payed: async ({ data }) => orders.markPaid(data.id) } },
 * });
 * await app.register(fastifyRoutes, { routes: [receiver.route('/webhooks')] });
 * @example
 * // Queue and respond, then process.
 * const worker = createInboxWorker({ inbox, on: { RequestPayment: { payed: ({ data }) => bookSlowly(data.id) } } });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @example
 * // Keep only the latest state of each object.
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: postgresSeenKeys(pool),
 *   order: 'latest',
 *   on: {
 *     RequestPayment: {
 *       update: ({ data }, markIn) =>
 *         db.transaction(async (client) => {
 *           if (await markIn(client)) await payments.save(client, data);
 *         }),
 *     },
 *   },
 * });
 * @throws TypeError when a secret or the id of an endpoint is missing or malformed, when there is not exactly one of
 * `seen` and `inbox`, or when `order` is unknown or `seen` cannot join the handlers' transactions.
 * @public
 */
export const createReceiver = <
  const S extends Schemas<P> = Record<never, never>,
  P extends EventPairs = EventPairs,
  H = unknown,
  O extends EventOrder = undefined,
  Tx extends object = object,
>(
  options: ReceiverOptions<S, P, H, O, Tx>,
): Receiver => {
  const { secrets, deliveryHeader, clock = systemClock } = options;
  const { profiles = [{}], endpoints = [], url } = options;
  const standardOnly = options.requireStandardWebhooks ?? false;
  const checkSignature = createSignatureCheck({
    ...{ secrets, profiles, clock, standardOnly },
    addressee: { endpoints, url },
  });
  const deliveryHeaderName = deliveryHeader?.name.toLowerCase() ?? '';
  if (
    deliveryHeader &&
    (deliveryHeaderName === '' || typeof deliveryHeader.value !== 'string' || deliveryHeader.value === '')
  )
    throw new TypeError('deliveryHeader: a header name and a value that are not empty.');
  if (!options.seen === !options.inbox) throw new TypeError('seen, inbox: exactly one of them is needed.');
  if (options.inbox && options.order) throw new TypeError('order: an option of the worker.');

  const report = safeListener(options.onError);
  const accept = options.inbox ? enqueueFirst(options, report) : processFirst(options, report);

  const hasDeliveryHeader = ({ headers }: HttpRequest): boolean =>
    !deliveryHeader || equalInConstantTime(headerText(headers, deliveryHeaderName) ?? '', deliveryHeader.value);

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const { body, headers } = request;
    // Callers without an adapter may pass any value; a Uint8Array of another realm is accepted.
    const isBytes = ArrayBuffer.isView(body);
    if (isBytes ? body.byteLength > maxBytes : Object(body).tooLarge)
      return problemResponse(413, 'too_large', 'The body is larger than a webhook can be.');
    if (Object(body).aborted)
      return problemResponse(400, 'aborted', 'The connection closed before the whole body had come.');
    if (!isBytes) {
      return problemResponse(
        500,
        'raw_body_needed',
        'A body parser ran before the receiver, so the signature cannot be checked: ' +
          'mount the receiver before it, or give this path the raw bytes.',
      );
    }
    if (!hasDeliveryHeader(request))
      return unauthorized('wrong_delivery_header', 'The delivery header is missing or wrong.');
    const envelopes = checkSignature(headers, body);
    if (typeof envelopes === 'string') return unauthorized(envelopes, details[envelopes]);
    const text = fromUtf8(body);
    const event = text === undefined ? undefined : readEvent(envelopes, text);
    if (text === undefined || !event) return problemResponse(400, 'no_envelope', 'The body is not a webhook envelope.');
    // Returning the promise without await would cost three more microtask turns.
    return await accept(event, text);
  };

  return {
    handle,
    route: (path) => ({
      path,
      methods: ['POST'],
      maxBodyBytes: maxBytes,
      handle: async (request) =>
        request.method === 'POST'
          ? handle(await readRequest(request, maxBytes))
          : problemResponse(405, 'method_not_allowed', 'Webhooks are sent by POST.', { headers: { allow: 'POST' } }),
    }),
  };
};
