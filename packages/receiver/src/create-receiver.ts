import {
  type Clock,
  type DedupTimes,
  dedupKey,
  type Envelope,
  equalInConstantTime,
  fromUtf8,
  type HttpRequest,
  type HttpResponse,
  type Inbox,
  parseEnvelope,
  problemResponse,
  processOnce,
  type Route,
  readRequest,
  type SeenKeys,
  systemClock,
} from '@partnerkit/core/receiver';
import { headerText, signatureCheck } from './check-signature.ts';
import type { Schemas } from './handlers.ts';
import { teller } from './tell.ts';
import { InvalidData, type Processing, workFinder } from './work.ts';

/**
 * What a receiver verifies, and whom it tells.
 * @public
 */
export interface VerifyingOptions {
  /** The webhook secret as it was shown and, while it is rotated, the next one. */
  readonly secrets: readonly [string, ...string[]];
  /** Refuse what carries no Standard Webhooks signature (HMAC-SHA-256): the end of the way off SHA-1. @defaultValue false */
  readonly requireStandardWebhooks?: boolean;
  /** The API-key header, if the endpoint has one (specification §5.2). */
  readonly apiKey?: { readonly header: string; readonly value: string };
  /**
   * Told of what made an event be refused with 400 or 503: what a handler, `seen` or `inbox` threw, what a schema
   * found; and, beside a 204, that an event was processed and could not be remembered. What it throws is ignored.
   */
  readonly onError?: (cause: unknown, event: Envelope) => void;
  readonly clock?: Clock;
}

/**
 * Process, then answer: the sender sends again what failed.
 * @public
 */
export interface ProcessingOptions<S extends Schemas> extends VerifyingOptions, Processing<S> {
  /** Where processed events are remembered. */
  readonly seen: SeenKeys;
  /** @defaultValue a lease of 1 minute, kept 35 days */
  readonly times?: Partial<DedupTimes>;
  readonly inbox?: never;
}

/**
 * Answer, then process: what was kept is the work of a `createInboxWorker`, in this process or in others.
 * @public
 */
export interface KeepingOptions extends VerifyingOptions {
  /** Where events are kept: an inbox, or, to wake the worker of this process at once, the worker's. */
  readonly inbox: Pick<Inbox, 'keep'>;
  readonly seen?: never;
  readonly on?: never;
  readonly otherwise?: never;
  readonly schemas?: never;
}

/**
 * Either {@link ProcessingOptions} (`seen` and handlers) or {@link KeepingOptions} (`inbox`).
 * @public
 */
export type ReceiverOptions<S extends Schemas> = ProcessingOptions<S> | KeepingOptions;

/**
 * A partner's receiver.
 * @public
 */
export interface Receiver {
  /** The whole check and processing of one request; never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** {@link Receiver.handle} as a route, for an adapter to mount. */
  route(path: `/${string}`): Route;
}

/** What becomes of a genuine event, and of its text. */
type Accept = (event: Envelope, text: string) => Promise<HttpResponse>;

/** Twice what a platform sends at most. */
const maxBytes = 512 * 1_024;
/** HTTP has no scheme for signatures, and a 401 always names one (RFC 9110 §15.5.2). */
const unauthorized = (code: string, detail: string): HttpResponse =>
  problemResponse(401, code, detail, { 'www-authenticate': 'Webhook realm="receiver"' });
const confirmed: HttpResponse = { status: 204, headers: {}, body: '' };

/** Processes an event before it is answered. */
const processing = <S extends Schemas>(
  { seen, times, ...handling }: ProcessingOptions<S>,
  tell: (cause: unknown, event: Envelope) => void,
): Accept => {
  const workOn = workFinder(handling);
  return async (event) => {
    const work = workOn(event);
    if (!work) return confirmed;
    try {
      const outcome = await processOnce(seen, dedupKey(event), work, times, (cause) => tell(cause, event));
      if (outcome !== 'in_progress') return confirmed;
      return problemResponse(409, 'in_progress', 'This event is being processed; send it again if no answer came.', {
        'retry-after': '10',
      });
    } catch (cause) {
      tell(cause, event);
      return cause instanceof InvalidData
        ? problemResponse(400, 'invalid_data', 'The data does not fit the schema of this receiver.')
        : problemResponse(503, 'handler_failed', 'The event was not processed; send it again.');
    }
  };
};

/** Keeps an event, and answers. One that is known was kept before. */
const keeping =
  ({ inbox }: KeepingOptions, tell: (cause: unknown, event: Envelope) => void): Accept =>
  async (event, text) => {
    try {
      await inbox.keep(dedupKey(event), text);
      return confirmed;
    } catch (cause) {
      tell(cause, event);
      return problemResponse(503, 'not_kept', 'The event could not be kept; send it again.');
    }
  };

/**
 * Verifies, deduplicates and dispatches webhooks (specification §5.2, §5.3, §6.5). Answers 401 (API key, signature), 400 (no
 * envelope, or data that the schema refuses), 413 (more than 512 KiB), 409 (a duplicate is being processed), 503 (a handler failed, or
 * the event could not be kept: send again), 500 (mounted behind a body parser), else 204.
 * @example
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: memorySeenKeys(),
 *   on: { RequestPayment: { payed: async ({ data }) => orders.markPaid(data.id) } },
 * });
 * await app.register(fastifyRoutes, { routes: [receiver.route('/webhooks')] });
 * @example
 * // Answer first, process after.
 * const worker = createInboxWorker({ inbox, on: { RequestPayment: { payed: ({ data }) => bookSlowly(data.id) } } });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @throws TypeError when a secret is missing or empty, or when there is not exactly one of `seen` and `inbox`.
 * @public
 */
export const createReceiver = <const S extends Schemas = Record<never, never>>(
  options: ReceiverOptions<S>,
): Receiver => {
  const { secrets, apiKey, clock = systemClock } = options;
  const checkSignature = signatureCheck(secrets, clock, options.requireStandardWebhooks ?? false);
  const apiKeyName = apiKey?.header.toLowerCase() ?? '';
  if (apiKey && (apiKeyName === '' || typeof apiKey.value !== 'string' || apiKey.value === ''))
    throw new TypeError('apiKey: a header name and a value that are not empty.');
  if (!options.seen === !options.inbox) throw new TypeError('seen, inbox: exactly one of them is needed.');

  const tell = teller(options.onError);
  const accept = options.inbox ? keeping(options, tell) : processing(options, tell);

  const hasApiKey = ({ headers }: HttpRequest): boolean =>
    !apiKey || equalInConstantTime(headerText(headers, apiKeyName) ?? '', apiKey.value);

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const { body, headers } = request;
    // Whoever calls without an adapter may hand over anything; bytes of another realm are bytes.
    const isBytes = ArrayBuffer.isView(body);
    if (isBytes ? body.byteLength > maxBytes : Object(body).tooLarge)
      return problemResponse(413, 'too_large', 'The body is larger than a webhook can be.');
    if (Object(body).aborted)
      return problemResponse(400, 'aborted', 'The connection closed before the whole body had come.');
    if (!isBytes) {
      return problemResponse(
        500,
        'raw_body_needed',
        'A body parser ran before the receiver, so the signature cannot be checked: mount the receiver before it, or give this path the raw bytes.',
      );
    }
    if (!hasApiKey(request)) return unauthorized('wrong_api_key', 'The API-key header is missing or wrong.');
    const refusal = checkSignature(headers, body);
    if (refusal) return unauthorized(refusal, 'The signature is missing or does not fit the body.');
    const text = fromUtf8(body);
    const event = text === undefined ? undefined : parseEnvelope(text);
    if (text === undefined || !event) return problemResponse(400, 'no_envelope', 'The body is not a webhook envelope.');
    // A promise that is handed on instead of awaited costs three turns.
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
          : problemResponse(405, 'method_not_allowed', 'Webhooks are sent by POST.', { allow: 'POST' }),
    }),
  };
};
