import { strictEqual } from 'node:assert';
import type { documentCheck } from '../support/document-check.ts';
import type { WireRequest, WireResponse } from '../support/exchange.ts';
import type { RequestsPlatform } from './platform.ts';

/** A response, with its JSON parsed. */
interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: what each case makes of it is what it checks
  readonly json: any;
}

export interface RequestOptions {
  /** Body as JSON; a text is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly as?: keyof RequestsPlatform['tokens'];
  /** @defaultValue 'org_main' */
  readonly account?: string;
  /** Announces a body of this many bytes, and sends none of it. */
  readonly unsentBytes?: number;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
}

/** A partner of a platform. */
export interface RequestsClient extends RequestsPlatform {
  /** Sends a request below the account. */
  send(method: string, path: string, request?: RequestOptions): Promise<JsonAnswer>;
  /** Sends a request, and asserts the status of the response. */
  must(status: number, method: string, path: string, request?: RequestOptions): Promise<JsonAnswer>;
}

/** The body without the items of a batch that the answer refuses; `undefined` when it refuses all of them. */
const acceptedOf = (path: string, text: string, { status, body }: { status: number; body: string }) => {
  if (status !== 200 || !/\/batch(\/|$)/.test(path)) return text;
  const results: readonly { readonly status: number }[] = JSON.parse(body).items;
  const { items }: { readonly items: readonly unknown[] } = JSON.parse(text);
  const accepted = items.filter((_item, index) => (results[index]?.status ?? 0) < 400);
  return accepted.length > 0 ? JSON.stringify({ items: accepted }) : undefined;
};

export const requestsClient = (
  platform: RequestsPlatform,
  exchange: (request: WireRequest) => Promise<WireResponse>,
  checkAnswer: ReturnType<typeof documentCheck>,
): RequestsClient => {
  const send: RequestsClient['send'] = async (
    method,
    path,
    { body, headers = {}, as = 'main', account = 'org_main', unsentBytes, signal } = {},
  ) => {
    // Ids contain the time: they sort in the order of creation.
    await platform.clock.pass(1);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const target = `/api/v1/partner/organisations/${account}/${path}`;
    const sent = {
      authorization: `Bearer ${platform.tokens[as]}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await exchange({
      method,
      target,
      headers: sent,
      ...(text === undefined ? {} : { body: text }),
      ...(unsentBytes === undefined ? {} : { unsentBytes }),
      ...(signal ? { signal } : {}),
    });
    const accepted = acceptedOf(path, text ?? '', answer);
    if (accepted !== undefined) checkAnswer(method, target, answer, { headers: sent, body: accepted });
    return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
  };
  return {
    ...platform,
    send,
    must: async (status, method, path, request) => {
      const answer = await send(method, path, request);
      strictEqual(answer.status, status, `${method} ${path}: ${answer.body}`);
      return answer;
    },
  };
};

/** The minimal payment request. */
export const payment = { name: 'Stay', amount: 120.5, currency: 'EUR', recipient: { email: 'guest@example.com' } };
/** The minimal security deposit. */
export const deposit = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient: { email: 'guest@example.com' } };
