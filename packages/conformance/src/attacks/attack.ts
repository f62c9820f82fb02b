import type { PrivateJwk } from '../contracts/tokens/forge.ts';

/**
 * Keys by which a client logs in with assertions (RFC 7523 §2.2). Forged assertions that they sign are refused for the
 * fault that is named, and not for their signature.
 * @public
 */
export interface AttackedAssertions {
  /** An audience that the host accepts: its issuer. */
  readonly audience: string;
  /** A private key of the client, of ES256. */
  readonly key: PrivateJwk;
  /** A private key of the client, of RS256. */
  readonly rsa: PrivateJwk;
}

/**
 * What an attacker knows of a host, and of a partner who is attacked.
 * @public
 */
export interface AttackTarget {
  /** The path of the partner API, such as `/api/v1/partner`. */
  readonly basePath: string;
  /** An account of the partner. */
  readonly accountId: string;
  /** An account that exists, and that the partner cannot access. */
  readonly foreignAccountId: string;
  /** The client of the partner. */
  readonly clientId: string;
  /** Its secret. */
  readonly clientSecret: string;
  /** A valid access token of the client. */
  readonly token: string;
  /** The keys of its assertions. @defaultValue keys that the host does not know */
  readonly assertions?: AttackedAssertions;
}

/**
 * A request as it is sent, byte for byte.
 * @public
 */
export interface AttackRequest {
  /** HTTP method. */
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Header lines, in order. `Host`, `Content-Length` and `Connection` are added where they are missing. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Body. Absent: none. */
  readonly body?: string | Uint8Array;
}

/**
 * The most that the refusal of one attack may cost, by its kind. What is not named costs nothing.
 *
 * - `none`: no token, store, directory or limiter is asked.
 * - `token`: the token is checked, and refused.
 * - `call`: a genuine token, and nothing behind the path or the body. It is counted, and written at most once a minute.
 * - `login`: a login with wrong credentials. That it was refused is noted for its key, at most once a minute.
 * - `assertion`: a login with a wrong assertion, which may have been signed by each of the five keys of a client.
 * @public
 */
export const maxAttackWork = {
  none: {
    tokenChecks: 0,
    assertionChecks: 0,
    clientReads: 0,
    revocationReads: 0,
    accountReads: 0,
    limiterCalls: 0,
    comparisons: 0,
    refusalNotes: 0,
    usageWrites: 0,
  },
  token: {
    tokenChecks: 1,
    assertionChecks: 0,
    clientReads: 0,
    revocationReads: 0,
    accountReads: 0,
    limiterCalls: 0,
    comparisons: 0,
    refusalNotes: 0,
    usageWrites: 0,
  },
  call: {
    tokenChecks: 1,
    assertionChecks: 0,
    clientReads: 1,
    revocationReads: 1,
    accountReads: 2,
    limiterCalls: 0,
    comparisons: 0,
    refusalNotes: 0,
    usageWrites: 1,
  },
  login: {
    tokenChecks: 0,
    assertionChecks: 0,
    clientReads: 1,
    revocationReads: 0,
    accountReads: 0,
    limiterCalls: 3,
    comparisons: 1,
    refusalNotes: 1,
    usageWrites: 0,
  },
  assertion: {
    tokenChecks: 0,
    assertionChecks: 5,
    clientReads: 1,
    revocationReads: 0,
    accountReads: 0,
    limiterCalls: 3,
    comparisons: 0,
    refusalNotes: 1,
    usageWrites: 0,
  },
} as const;

/** How much a refusal may cost: a key of {@link maxAttackWork}. @public */
export type AttackWork = keyof typeof maxAttackWork;

/** The kinds of {@link HttpAttack}. @public */
export type AttackGroup = 'tokens' | 'logins' | 'assertions' | 'paths' | 'headers' | 'cursors' | 'money' | 'json';

/**
 * One hostile request, and what must become of it.
 * @public
 */
export interface HttpAttack {
  /** Its kind. */
  readonly group: AttackGroup;
  /** What is hostile; unique among all attacks. */
  readonly name: string;
  /** Makes the request. */
  readonly request: (target: AttackTarget) => AttackRequest;
  /** The allowed statuses. 0: the connection closes without a response. */
  readonly status: readonly number[];
  /** The most that the refusal may cost. */
  readonly work: AttackWork;
  /** The `error` of an answer with 401 (RFC 6749 §5.2). Absent: it is not compared. */
  readonly error?: string;
}

export const jsonType = ['Content-Type', 'application/json'] as const;
export const formType = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
export const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;

/** The own account, with the token that may read it. */
export const readAccount = ({ basePath, accountId, token }: AttackTarget): AttackRequest => ({
  method: 'GET',
  target: `${basePath}/organisations/${accountId}/me`,
  headers: [bearer(token)],
});

/** The parameters of a login that would succeed. */
export const credentials = ({ clientId, clientSecret }: AttackTarget) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type: 'client_credentials',
  scope: 'USER',
});

export const login = (
  { basePath }: Pick<AttackTarget, 'basePath'>,
  body: string | Uint8Array,
  ...headers: AttackRequest['headers']
): AttackRequest => ({
  method: 'POST',
  target: `${basePath}/login`,
  headers: headers.length > 0 ? headers : [jsonType],
  body,
});

/** A text as it may stand in the name of an attack. */
export const shown = (text: string): string => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.length > 48 ? `${escaped.slice(0, 24)}… (${text.length} characters)` : escaped;
};
