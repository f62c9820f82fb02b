import { setTimeout as after } from 'node:timers/promises';
import type { Prng } from '../../packages/conformance/src/simulator/prng.ts';
import type { PaymentRequest } from './child.ts';
import type { Credentials, Office } from './office.ts';
import { accountsOf } from './platform.ts';

/** What tells an event from all others. */
export const nameOf = ({ objectId, nth }: { readonly objectId: string; readonly nth: number }): string =>
  `${objectId} ${nth}`;

/** What partners were answered. */
export interface Ledger {
  /** Payments that were answered with success, in order. */
  readonly confirmed: string[];
  readonly rolledBack: Set<string>;
  readonly statuses: Map<string, number>;
  readonly tokens: Set<string>;
  readonly faults: string[];
}

const lanes = 6;

export interface LoadOptions {
  readonly office: Office;
  readonly prng: Prng;
  /** The port of a host that listens. */
  readonly pickPort: () => number | undefined;
  /** Payments a second, of all lanes. */
  readonly rate: () => number;
}

const base = '/api/v1/partner';

/** Partners that log in and pay through the hosts of a platform, until they are stopped. */
export const startLoad = ({ office, prng, pickPort, rate }: LoadOptions) => {
  const ledger: Ledger = {
    ...{ confirmed: [], rolledBack: new Set(), statuses: new Map() },
    ...{ tokens: new Set(), faults: [] },
  };
  let isStopping = false;

  /** The status and body, or nothing when the connection broke. */
  const call = async (what: string, path: string, body: object, token?: string) => {
    const port = pickPort();
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
    const answered = await fetch(`http://127.0.0.1:${port ?? 1}${base}${path}`, init)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    const key = `${what} ${answered?.status ?? 'no answer'}`;
    ledger.statuses.set(key, (ledger.statuses.get(key) ?? 0) + 1);
    return answered;
  };
  const logIn = ({ clientId, secret }: Pick<Credentials, 'clientId' | 'secret'>) =>
    call('login', '/login', {
      ...{ grant_type: 'client_credentials', scope: 'USER', client_id: clientId, client_secret: secret },
    });

  const payIn = async (lane: number): Promise<void> => {
    const tokens = new Map<string, string>();
    const last = new Map<string, number>();
    const tokenOf = async (accountId: string): Promise<string | undefined> => {
      const answered = await logIn(office.credentialsOf(accountId));
      if (answered?.status !== 200) return undefined;
      const token: string = JSON.parse(answered.text).access_token;
      ledger.tokens.add(token);
      tokens.set(accountId, token);
      return token;
    };
    const accounts = accountsOf(office.place.storage);
    while (!isStopping) {
      await after((prng.next() * 2_000 * lanes) / rate());
      const accountId = accounts[prng.below(accounts.length)] as string;
      const token = tokens.get(accountId) ?? (await tokenOf(accountId));
      if (token === undefined) continue;
      const objectId = `${accountId}/${lane}-${prng.below(4)}`;
      const nth = (last.get(objectId) ?? 0) + 1;
      last.set(objectId, nth);
      const payment: PaymentRequest = { objectId, nth, isRolledBack: prng.chance(0.1) };
      const answered = await call('payment', `/organisations/${accountId}/payments`, payment, token);
      if (answered?.status === 201) ledger.confirmed.push(nameOf(payment));
      else if (answered?.status === 204) ledger.rolledBack.add(nameOf(payment));
      // After an error, or without an answer, it may be stored.
      if (answered?.status === 401) tokens.delete(accountId);
    }
  };

  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => payIn(lane)));
  return {
    ledger,
    /** A revoked secret, or a wrong one, must not log in. */
    mustNotLogIn: async (credentials: Pick<Credentials, 'clientId' | 'secret'>): Promise<void> => {
      if ((await logIn(credentials))?.status === 200) ledger.faults.push(`${credentials.clientId} logged in`);
    },
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
};
export type Load = ReturnType<typeof startLoad>;
