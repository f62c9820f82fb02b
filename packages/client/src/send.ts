import { untilAborted } from './wait.ts';

/**
 * What the option `fetch` gets beside the address: members that every `fetch` knows.
 * @public
 */
export interface ClientRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** The headers, by lower-case name. */
  readonly headers: Record<string, string>;
  /** The body. Absent: none. */
  readonly body?: ArrayBuffer;
  /** Always `manual`: the token and the secret stay with the platform. */
  readonly redirect: 'manual';
  /** Aborts when the caller gives up, and after the time-out. */
  readonly signal: AbortSignal;
}

/**
 * What the client reads of a response, of any `fetch`.
 * @public
 */
export interface ClientResponse {
  /** HTTP status. */
  readonly status: number;
  /** The headers, as names with values. */
  readonly headers: Iterable<[string, string]>;
  /** The body, in chunks; `null` for none. */
  readonly body: unknown;
}

export interface SendOptions {
  readonly fetch: (url: string, request: ClientRequest) => Promise<ClientResponse>;
  readonly timeout: number;
  readonly maxResponseBytes: number;
}

/** An answer that was refused: to ask again would bring it again. */
class TooLarge extends Error {
  override readonly name = 'TooLarge';
  constructor(url: string, most: number) {
    super(`${url} answered more than ${most} bytes: ask for smaller pages, or raise maxResponseBytes.`);
  }
}

export const isTooLarge = (cause: unknown): boolean => Object(cause).name === 'TooLarge';

/** Statuses without a body (RFC 9110 §6.4.1). */
const bodiless = [204, 205, 304];

const readBody = async (
  { body }: ClientResponse,
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > most) throw new TooLarge(url, most);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

/**
 * Sends a request once, and reads its whole answer. `fetch` gets an address and plain members: that of another copy of
 * undici takes no `Request` of this process.
 * @throws what `fetch` throws; what the signal gives; a `TimeoutError`; `TooLarge`.
 */
export const sendOnce = async (
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  { fetch, timeout, maxResponseBytes }: SendOptions,
): Promise<Response> => {
  const { url, method, headers, signal: given } = request;
  const ended = new AbortController();
  const { signal } = ended;
  const giveUp = (): void => ended.abort(given.reason);
  if (given.aborted) giveUp();
  given.addEventListener('abort', giveUp, { once: true });
  const late = new DOMException(`${url}: no whole answer within ${timeout} ms.`, 'TimeoutError');
  const timer = setTimeout(() => ended.abort(late), timeout);
  const exchange = async (): Promise<Response> => {
    const answer = await fetch(url, {
      method,
      headers: Object.fromEntries(headers),
      // Not the bytes: older versions of TypeScript cannot say what they are a view of.
      ...(body.length === 0 ? {} : { body: body.slice().buffer }),
      redirect: 'manual',
      signal,
    });
    const { status } = answer;
    const bytes = await readBody(answer, url, maxResponseBytes, signal);
    return new Response(bodiless.includes(status) ? null : bytes, { status, headers: [...answer.headers] });
  };
  try {
    // A `fetch` may ignore the signal.
    return await untilAborted(exchange(), signal);
  } finally {
    clearTimeout(timer);
    given.removeEventListener('abort', giveUp);
  }
};
