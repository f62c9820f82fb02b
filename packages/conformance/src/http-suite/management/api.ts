import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { documentCheck } from '../support/document-check.ts';
import { asSent, exchange, type WireRequest } from '../support/exchange.ts';
import { type Known, type ManagementPlatform, sessionHeader } from './platform.ts';
import type { Right } from './table.ts';

const basePath = '/api/v1/partner-management';

/** A request to the management API. */
export interface ManagementRequest {
  readonly method: string;
  /** Below the base path; `:name` is replaced by a known value. */
  readonly path: string;
  /** What the session may do; `none`: there is no session. @defaultValue everything */
  readonly rights?: readonly Right[] | 'none';
  /** The account of the session. @defaultValue org_main */
  readonly accountId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body, or a text that is sent as it is. */
  readonly body?: unknown;
}

export interface ManagementAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` for none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts every field that it reads.
  readonly body: any;
}

/** Sends the requests of one case. */
export interface ManagementApi {
  readonly platform: ManagementPlatform;
  /** The examples of bodies in the document, by the name of the row. */
  readonly examples: ReadonlyMap<string, unknown>;
  /** Sends a request; asserts the headers that every answer has, its schema, and that no secret is shown twice. */
  send(request: ManagementRequest): Promise<ManagementAnswer>;
  /** Sends a request that must succeed; returns its body. */
  call(name: string, request?: Omit<ManagementRequest, 'method' | 'path'>, known?: Known): Promise<ManagementAnswer>;
  /** Sends a request that must be refused, with nothing stored or signalled. */
  refuses(request: ManagementRequest, status: number, code: string): Promise<ManagementAnswer>;
  /** Logs in to the partner API with a secret of the key. */
  logIn(secret: string): Promise<{ readonly status: number; readonly token: string }>;
  /** Calls the partner API with an access token; returns the status. */
  callWith(token: string): Promise<number>;
  /** How many request bodies were read. */
  bodiesRead(): number;
}

/** Everything that a session can be allowed. */
export const everyRight: readonly Right[] = (['keys', 'webhooks', 'deliveries'] as const).map((part) => ({
  part,
  access: 'write',
}));

const fill = (path: string, known: Known): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = known[name];
    if (value === undefined) throw new TypeError(`management: nothing is called ${name}.`);
    return value;
  });

/** Creates the calls of a case. */
export const createManagementApi = ({
  port,
  platform,
  checkAnswer,
  examples,
  bodiesRead,
}: {
  readonly port: number;
  readonly platform: ManagementPlatform;
  readonly checkAnswer: ReturnType<typeof documentCheck>;
  readonly examples: ReadonlyMap<string, unknown>;
  readonly bodiesRead: () => number;
}): ManagementApi => {
  const shown: string[] = [platform.secret];
  const target = (path: string, known: Known = platform.known): string => `${basePath}${fill(path, known)}`;

  const send = async (
    { method, path, rights = everyRight, accountId = 'org_main', headers = {}, body }: ManagementRequest,
    known?: Known,
  ): Promise<ManagementAnswer> => {
    const isText = typeof body === 'string';
    const request: WireRequest = {
      method,
      target: target(path, known),
      headers: {
        ...(rights === 'none' ? {} : { 'x-session': sessionHeader(rights, { accountId }) }),
        ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    };
    const response = await exchange(port, request);
    const type = response.status < 400 ? 'application/json' : 'application/problem+json';
    strictEqual(response.headers['content-type'], [204, 304].includes(response.status) ? undefined : type);
    strictEqual(response.headers['cache-control'], 'no-store');
    strictEqual(response.headers['x-content-type-options'], 'nosniff');
    checkAnswer(method, request.target, response, asSent(request));
    for (const secret of shown) ok(!response.body.includes(secret), 'a secret is shown again');
    const answer = response.body === '' ? undefined : JSON.parse(response.body);
    if (typeof answer?.secret === 'string') shown.push(answer.secret);
    return { status: response.status, headers: response.headers, body: answer };
  };

  const partnerApi = (request: Partial<WireRequest> & { readonly path: string }) =>
    exchange(port, { method: 'GET', ...request, target: `/api/v1/partner${request.path}` });

  return {
    platform,
    examples,
    send,
    bodiesRead,
    call: async (name, request = {}, known = {}) => {
      const [method = '', path = ''] = name.split(' ');
      const answer = await send({ ...request, method, path }, { ...platform.known, ...known });
      ok(answer.status < 300, `${name} answers ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    refuses: async (request, status, code) => {
      const [stored, changes] = [await platform.stored(), platform.changes.length];
      const answer = await send(request);
      const what = JSON.stringify(answer.body);
      deepStrictEqual([answer.status, answer.body?.status, answer.body?.code], [status, status, code], what);
      strictEqual(await platform.stored(), stored, 'what is refused was stored');
      deepStrictEqual(platform.changes.slice(changes), [], 'what is refused was signalled');
      return answer;
    },
    logIn: async (secret) => {
      const { keyId: client_id } = platform.known;
      const response = await partnerApi({
        method: 'POST',
        path: '/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' }),
      });
      return { status: response.status, token: JSON.parse(response.body).access_token };
    },
    callWith: async (token) =>
      (await partnerApi({ path: '/organisations/org_main/me', headers: { authorization: `Bearer ${token}` } })).status,
  };
};

/** One test of the management API. */
export interface ManagementCase {
  readonly name: string;
  /** Whether it changes nothing: the next case gets the same platform. */
  readonly isReadOnly?: boolean;
  readonly run: (api: ManagementApi) => Promise<void>;
}
