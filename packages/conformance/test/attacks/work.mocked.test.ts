import { memoryRateLimiter } from '@partnerkit/core/memory';
import { expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ comparisons: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    timingSafeEqual: (...args: Parameters<typeof crypto.timingSafeEqual>) => {
      counts.comparisons++;
      return crypto.timingSafeEqual(...args);
    },
  };
});

const { maxAttackWork } = await import('../../src/attacks/attack.ts');
const { attacksOf } = await import('../../src/attacks/http-attacks.ts');
const { inProcess } = await import('../../../testing/src/scripted/in-process.ts');
const { accountId, attackedHost, foreignAccountId } = await import('./host.ts');

import type { AttackRequest } from '../../src/attacks/attack.ts';

type Work = Record<keyof (typeof maxAttackWork)['none'], number>;
const zero = (): Work => ({ ...maxAttackWork.none });

/** Counts each call of an adapter under the name that `kindOf` gives it; `undefined`: it must not be called. */
const counted = <T extends object>(
  adapter: T,
  note: (kind: keyof Work | undefined, method: string) => void,
  kindOf: (method: string) => keyof Work | undefined,
): T =>
  Object.fromEntries(
    Object.entries(adapter).map(([method, act]) => [
      method,
      typeof act === 'function'
        ? (...args: readonly unknown[]) => {
            note(kindOf(method), method);
            return act(...args);
          }
        : act,
    ]),
  ) as T;

const inRequest = ({ headers, body }: AttackRequest) => ({
  headers: Object.fromEntries(
    [...Map.groupBy(headers, ([name]) => name.toLowerCase())].map(([name, lines]) => [
      name,
      lines.length === 1 ? (lines[0]?.[1] ?? '') : lines.map(([, value]) => value),
    ]),
  ),
  ...(body === undefined ? {} : { body }),
});

test('no attack costs more than its kind, and each kind is met', async () => {
  const work = zero();
  const others: string[] = [];
  const note = (kind: keyof Work | undefined, method: string): void => {
    if (kind) work[kind]++;
    else others.push(method);
  };
  const { routes, client } = await attackedHost((options) => ({
    ...options,
    oauth: { revocationDelay: 0 },
    shared: { limiter: counted(memoryRateLimiter(), note, () => 'limiterCalls') },
    accounts: counted(options.accounts, note, () => 'accountReads'),
    tokens: counted(options.tokens, note, (method) => {
      if (method === 'verifyAssertion') return 'assertionChecks';
      return method === 'verify' ? 'tokenChecks' : undefined;
    }),
    storage: {
      ...options.storage,
      clients: counted(options.storage.clients, note, (method) => {
        if (method === 'findClient') return 'clientReads';
        if (method === 'noteRefusal') return 'refusalNotes';
        if (method === 'addUsage') return 'usageWrites';
        return method === 'isTokenRevoked' ? 'revocationReads' : undefined;
      }),
      endpoints: counted(options.storage.endpoints, note, () => undefined),
      events: counted(options.storage.events, note, () => undefined),
      log: counted(options.storage.log, note, () => undefined),
      requests: counted(options.storage.requests, note, () => undefined) as never,
    },
  }));
  const ask = inProcess(routes);
  const basePath = '/api/v1/partner';
  const { clientId, clientSecret, assertions } = client;
  const granted = await ask('POST', `${basePath}/login`, {
    json: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', scope: 'USER' },
  });
  const token: string = JSON.parse(granted.body).access_token;
  const target = { basePath, accountId, foreignAccountId, clientId, clientSecret, token, assertions };

  const most = { none: zero(), token: zero(), call: zero(), login: zero(), assertion: zero() };
  const faults: string[] = [];
  // The framing of a request is read by servers.
  for (const attack of attacksOf(true).filter(({ group }) => group !== 'headers')) {
    Object.assign(work, zero());
    counts.comparisons = 0;
    others.length = 0;
    const { method, target: path, ...rest } = attack.request(target);
    const { status } = await ask(method, path, inRequest({ method, target: path, ...rest }));
    const cost = { ...work, comparisons: counts.comparisons };
    if (!attack.status.includes(status)) faults.push(`${attack.name}: answered ${status}`);
    if (others.length > 0) faults.push(`${attack.name}: calls ${others.join(', ')}`);
    for (const kind of Object.keys(cost) as (keyof Work)[]) {
      if (cost[kind] > maxAttackWork[attack.work][kind]) faults.push(`${attack.name}: ${cost[kind]} ${kind}`);
      most[attack.work][kind] = Math.max(most[attack.work][kind], cost[kind]);
    }
  }
  expect(faults).toEqual([]);
  expect(most).toEqual(maxAttackWork);
});
