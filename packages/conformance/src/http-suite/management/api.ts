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

/** A request of the key of `org_main` to the partner API. */
export interface KeyRequest extends Pick<ManagementRequest, 'method' | 'path' | 'headers' | 'body'> {
  /** The account of the path. @defaultValue org_main */
  readonly account?: string;
  /** The values of the path. @defaultValue those of org_main */
  readonly known?: Known;
  /** The access token. @defaultValue that of the key */
  readonly token?: string;
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
  /** Sends a request by key; asserts what `send` does, by the document of partners. */
  sendByKey(request: KeyRequest): Promise<ManagementAnswer>;
  /** Sends a request that must succeed; returns its body. */
  call(name: string, request?: Omit<ManagementRequest, 'method' | 'path'>, known?: Known): Promise<ManagementAnswer>;
  /** Sends a request that must be refused, with nothing stored or signalled. */
  refuses(request: ManagementRequest, status: number, code: string): Promise<ManagementAnswer>;
  /** Sends a request by key that must be refused, with nothing stored or signalled. */
  refusesByKey(request: KeyRequest, status: number, code: string): Promise<ManagementAnswer>;
  /** Logs in to the partner API with a secret of the key. */
  logIn(secret: string): Promise<{ readonly status: number; readonly token: string }>;
  /** The access token of the key. The first call logs in. */
  tokenOfKey(): Promise<string>;
  /** Calls the partner API with an access token; returns the status. */
  callWith(token: string): Promise<number>;
  /** How many request bodies were read. */
  bodiesRead(): number;
}

/** Everything that a session can be allowed. */
export const everyRight: readonly Right[] = (
  ['keys', 'webhooks', 'deliveries', 'audit', 'alerts', 'sending'] as const
).map((part) => ({
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
  checkByKey,
  examples,
  bodiesRead,
}: {
  readonly port: number;
  readonly platform: ManagementPlatform;
  readonly checkAnswer: ReturnType<typeof documentCheck>;
  readonly checkByKey: ReturnType<typeof documentCheck>;
  readonly examples: ReadonlyMap<string, unknown>;
  readonly bodiesRead: () => number;
}): ManagementApi => {
  const shown: string[] = [platform.secret];
  const target = (path: string, known: Known = platform.known): string => `${basePath}${fill(path, known)}`;

  /** Sends a request; asserts what every answer has, and that no secret is shown twice. */
  const transfer = async (
    { method, headers = {}, body }: Pick<ManagementRequest, 'method' | 'headers' | 'body'>,
    sentTo: string,
    authentication: Readonly<Record<string, string>>,
    check: ReturnType<typeof documentCheck>,
  ): Promise<ManagementAnswer> => {
    const isText = typeof body === 'string';
    const request: WireRequest = {
      method,
      target: sentTo,
      headers: {
        ...authentication,
        ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    };
    const response = await exchange(port, request);
    const type = response.status < 400 ? 'application/json' : 'application/problem+json';
    strictEqual(response.headers['content-type'], [204, 304].includes(response.status) ? undefined : type);
    strictEqual(response.headers['cache-control'], 'no-store');
    check(method, sentTo, response, asSent(request));
    for (const secret of shown) ok(!response.body.includes(secret), 'a secret is shown again');
    const answer = response.body === '' ? undefined : JSON.parse(response.body);
    if (typeof answer?.secret === 'string') shown.push(answer.secret);
    return { status: response.status, headers: response.headers, body: answer };
  };

  const send = async (request: ManagementRequest, known?: Known): Promise<ManagementAnswer> => {
    const { rights = everyRight, accountId = 'org_main' } = request;
    const session = rights === 'none' ? {} : { 'x-session': sessionHeader(rights, { accountId }) };
    const answer = await transfer(request, target(request.path, known), session, checkAnswer);
    strictEqual(answer.headers['x-content-type-options'], 'nosniff');
    return answer;
  };

  /** Asserts that a request is refused, with nothing stored or signalled. */
  const refusing = async (send: () => Promise<ManagementAnswer>, status: number, code: string) => {
    const [stored, changes] = [await platform.stored(), platform.changes.length];
    const answer = await send();
    const what = JSON.stringify(answer.body);
    deepStrictEqual([answer.status, answer.body?.status, answer.body?.code], [status, status, code], what);
    strictEqual(await platform.stored(), stored, 'what is refused was stored');
    deepStrictEqual(platform.changes.slice(changes), [], 'what is refused was signalled');
    return answer;
  };

  const partnerApi = (request: Partial<WireRequest> & { readonly path: string }) =>
    exchange(port, { method: 'GET', ...request, target: `/api/v1/partner${request.path}` });

  const logIn = async (secret: string) => {
    const { keyId: client_id } = platform.known;
    const response = await partnerApi({
      method: 'POST',
      path: '/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' }),
    });
    return { status: response.status, token: JSON.parse(response.body).access_token };
  };

  let ofKey: string | undefined;
  const tokenOfKey = async (): Promise<string> => {
    const token = ofKey ?? (await logIn(platform.secret)).token;
    ofKey = token;
    return token;
  };
  const sendByKey = async ({ account = 'org_main', known = platform.known, token, ...request }: KeyRequest) => {
    const path = `/api/v1/partner/organisations/${account}${fill(request.path, known)}`;
    return transfer(request, path, { authorization: `Bearer ${token ?? (await tokenOfKey())}` }, checkByKey);
  };

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
    sendByKey,
    refuses: (request, status, code) => refusing(() => send(request), status, code),
    refusesByKey: (request, status, code) => refusing(() => sendByKey(request), status, code),
    logIn,
    tokenOfKey,
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
