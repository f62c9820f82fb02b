import { strictEqual } from 'node:assert';
import { exchange } from './exchange.ts';
import type { RequestsPlatform } from './requests-platform.ts';

/** An answer, its JSON read. */
interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: what each case makes of it is what it checks
  readonly json: any;
}

/** How a request differs from the plainest one. @internal */
export interface Asking {
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly as?: keyof RequestsPlatform['tokens'];
  /** @defaultValue 'org_main' */
  readonly account?: string;
  /** Announce a body of this many bytes, and send none of it. */
  readonly unsentBytes?: number;
}

/** A partner of a platform, over a real socket. @internal */
export interface RequestsClient extends RequestsPlatform {
  /** Asks below the account. */
  ask(method: string, path: string, asking?: Asking): Promise<JsonAnswer>;
  /** Asks, and has what must be answered with this status. */
  must(status: number, method: string, path: string, asking?: Asking): Promise<JsonAnswer>;
}

/** @internal */
export const requestsClient = (platform: RequestsPlatform, port: number): RequestsClient => {
  const ask: RequestsClient['ask'] = async (
    method,
    path,
    { body, headers = {}, as = 'main', account = 'org_main', unsentBytes } = {},
  ) => {
    // So that ids, which hold the time, are in the order in which they were made.
    await platform.clock.pass(1);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await exchange(port, {
      method,
      target: `/api/v1/partner/organisations/${account}/${path}`,
      headers: {
        authorization: `Bearer ${platform.tokens[as]}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
      ...(unsentBytes === undefined ? {} : { unsentBytes }),
    });
    return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
  };
  return {
    ...platform,
    ask,
    must: async (status, method, path, asking) => {
      const answer = await ask(method, path, asking);
      strictEqual(answer.status, status, `${method} ${path}: ${answer.body}`);
      return answer;
    },
  };
};

/** The least that makes a payment request. @internal */
export const payment = { name: 'Stay', amount: 120.5, currency: 'EUR', recipient: { email: 'guest@example.com' } };
/** The least that makes a security deposit. @internal */
export const deposit = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient: { email: 'guest@example.com' } };
