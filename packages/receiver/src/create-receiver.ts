import {
  type Clock,
  type DedupTimes,
  dedupKey,
  type Envelope,
  equalInConstantTime,
  fromUtf8,
  type HttpRequest,
  type HttpResponse,
  parseEnvelope,
  problemResponse,
  processOnce,
  type Route,
  type SeenKeys,
  singleHeader,
  systemClock,
} from '@partnerkit/core/receiver';
import { signatureCheck } from './check-signature.ts';
import { type Handler, type Handlers, handlerOf, type Received, type Schemas, schemaOf } from './handlers.ts';
import type { StandardIssue } from './standard-schema.ts';

/**
 * What a receiver verifies, remembers and does.
 * @public
 */
export interface ReceiverOptions<S extends Schemas> {
  /** The webhook secret as it was shown and, while it is rotated, the next one. */
  readonly secrets: readonly [string, ...string[]];
  /** Refuse what carries no Standard Webhooks signature (HMAC-SHA-256): the end of the way off SHA-1. @defaultValue false */
  readonly requireStandardWebhooks?: boolean;
  /** The API-key header, if the endpoint has one (specification §5.2). */
  readonly apiKey?: { readonly header: string; readonly value: string };
  /** Where processed events are remembered. */
  readonly seen: SeenKeys;
  /** Schemas for `data`, of any library that speaks Standard Schema. */
  readonly schemas?: S;
  readonly on: Handlers<S>;
  /** Whatever has no handler, types of the future included. Without it they are confirmed and dropped. */
  readonly otherwise?: Handler<Received<string, string, unknown>>;
  /**
   * Told of what made an event be refused with 400 or 503: what a handler or `seen` threw, what a schema
   * found; and, beside a 204, that an event was processed and could not be remembered. What it throws is ignored.
   */
  readonly onError?: (cause: unknown, event: Envelope) => void;
  /** @defaultValue a lease of 1 minute, kept 35 days */
  readonly times?: Partial<DedupTimes>;
  readonly clock?: Clock;
}

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

/** Twice what a platform sends at most. */
const mostBytes = 512 * 1_024;
const confirmed: HttpResponse = { status: 204, headers: {}, body: '' };

const tellIssue = ({ message, path = [] }: StandardIssue): string =>
  ['data', ...path.map((step) => String(typeof step === 'object' ? step.key : step))].join('.').concat(': ', message);

class InvalidData extends Error {
  override readonly name = 'InvalidData';
}

/**
 * Verifies, deduplicates and dispatches webhooks (specification §5.2, §5.3, §6.5). Answers 401 (API key, signature), 400 (no
 * envelope, or data that the schema refuses), 409 (a duplicate is being processed), 503 (a handler failed: send again),
 * else 204.
 * @example
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: memorySeenKeys(),
 *   on: { RequestPayment: { payed: async ({ data }) => orders.markPaid(data.id) } },
 * });
 * await app.register(fastifyRoutes, { routes: [receiver.route('/webhooks')] });
 * @throws TypeError when a secret is missing or empty.
 * @public
 */
export const createReceiver = <const S extends Schemas = Record<never, never>>(
  options: ReceiverOptions<S>,
): Receiver => {
  const { secrets, apiKey, seen, schemas, on, otherwise, clock = systemClock } = options;
  const checkSignature = signatureCheck(secrets, clock, options.requireStandardWebhooks ?? false);
  const apiKeyName = apiKey?.header.toLowerCase() ?? '';
  if (apiKey && (apiKeyName === '' || typeof apiKey.value !== 'string' || apiKey.value === ''))
    throw new TypeError('apiKey: a header name and a value that are not empty.');

  const hasApiKey = ({ headers }: HttpRequest): boolean =>
    !apiKey || equalInConstantTime(singleHeader(headers, apiKeyName) ?? '', apiKey.value);

  const tell: NonNullable<typeof options.onError> = (cause, event) => {
    // What it throws and what it rejects with must not change the answer, nor end the process.
    (async () => options.onError?.(cause, event))().catch(() => undefined);
  };

  const validated = async (event: Envelope): Promise<Received<string, string, unknown>> => {
    const schema = schemaOf(schemas, event.objectName);
    if (!schema) return event;
    const checked = await schema['~standard'].validate(event.data);
    if (checked.issues) throw new InvalidData(checked.issues.map(tellIssue).join('; '));
    return { ...event, data: checked.value };
  };

  const process = async (event: Envelope): Promise<HttpResponse> => {
    const handler = handlerOf(on, otherwise, event);
    if (!handler) return confirmed;
    try {
      const outcome = await processOnce(
        seen,
        dedupKey(event),
        async () => handler(await validated(event)),
        options.times,
        (cause) => tell(cause, event),
      );
      if (outcome !== 'busy') return confirmed;
      return problemResponse(
        409,
        'being_processed',
        'This event is being processed; send it again if no answer came.',
        { 'retry-after': '10' },
      );
    } catch (cause) {
      tell(cause, event);
      return cause instanceof InvalidData
        ? problemResponse(400, 'invalid_data', 'The data does not fit the schema of this receiver.')
        : problemResponse(503, 'handler_failed', 'The event was not processed; send it again.');
    }
  };

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const { body, headers } = request;
    if ('parsed' in body) {
      return problemResponse(
        500,
        'raw_body_needed',
        'A body parser ran before the receiver, so the signature cannot be checked: mount the receiver before it, or give this path the raw bytes.',
      );
    }
    if ('tooLarge' in body) return problemResponse(413, 'too_large', 'The body is larger than a webhook can be.');
    if (!hasApiKey(request)) return problemResponse(401, 'wrong_api_key', 'The API-key header is missing or wrong.');
    const refusal = checkSignature(headers, body);
    if (refusal) return problemResponse(401, refusal, 'The signature is missing or does not fit the body.');
    const text = fromUtf8(body);
    const event = text === undefined ? undefined : parseEnvelope(text);
    return event ? process(event) : problemResponse(400, 'no_envelope', 'The body is not a webhook envelope.');
  };

  return {
    handle,
    route: (path) => ({
      path,
      methods: ['POST'],
      maxBodyBytes: mostBytes,
      handle: async (request) =>
        request.method === 'POST'
          ? handle(request)
          : problemResponse(405, 'method_not_allowed', 'Webhooks are sent by POST.', { allow: 'POST' }),
    }),
  };
};
