import { inspect } from 'node:util';
import type { Page, PageRequest } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { httpCases } from '../../src/http-suite/partner/cases.ts';
import { createPlatform, type Platform } from '../../src/http-suite/partner/platform.ts';
import { ask } from './ask.ts';

const pages = async <T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> => {
  const { items, next } = await list({ limit: 100 });
  expect(next).toBeUndefined();
  return items;
};
const accountIds = ['org_main', 'org_suspended', 'org_gone', 'org_stranger'];

/** A platform that keeps what it tells and shows what it stores. */
const watched = async () => {
  const told: unknown[] = [];
  const storages: Storage<object>[] = [];
  const platform = await createPlatform({
    adapt: (options) => {
      storages.push(options.storage);
      return {
        ...options,
        observe: (signal) => told.push(signal),
        onError: (...error) => told.push(error),
      };
    },
  });
  told.length = 0;
  const [storage] = storages as [Storage<object>];
  /** Without the last refused login of a client, which is kept for its account. */
  const stored = async () => {
    const read = accountIds.map((accountId) => pages((page) => storage.clients.listClients(accountId, page)));
    return (await Promise.all(read)).map((clients) => clients.map(({ lastRefusal: _kept, ...client }) => client));
  };
  return { platform, told, stored };
};

const secretsOf = ({ clientSecret, token, suspendedToken, deadKeys, deadTokens }: Platform): readonly string[] => [
  clientSecret,
  token,
  suspendedToken,
  ...Object.values(deadKeys)
    .map(({ secret }) => secret)
    .filter((secret) => secret !== 'password'),
  ...Object.values(deadTokens),
];

const refused = httpCases.filter(({ bad, status }) => bad !== undefined && status >= 400);

test('a refused request leaves no trace: nothing is stored, and no secret and no stack is told', async () => {
  const { platform, told, stored } = await watched();
  const before = await stored();
  expect(before.flat().length).toBeGreaterThan(10);
  const secrets = secretsOf(platform);
  for (const each of refused) {
    told.length = 0;
    const answer = await ask(platform, each);
    expect(answer.status, each.name).toBe(each.status);
    const text = inspect([answer, told], { depth: 10, breakLength: Number.POSITIVE_INFINITY });
    for (const secret of secrets) expect(text.includes(secret), `${each.name} tells a secret: ${text}`).toBe(false);
    expect(text, each.name).not.toMatch(/(\n|\\n)\s+at /);
  }
  expect(await stored()).toEqual(before);
});

test('what is told of refused requests is that a login failed, by whom if it has the form of an id', async () => {
  const { platform, told } = await watched();
  for (const each of refused) await ask(platform, each);
  expect(told.length).toBeGreaterThan(50);
  for (const signal of told) {
    expect(signal).toEqual({
      kind: 'login',
      outcome: 'refused',
      ...((signal as { clientId?: string }).clientId === undefined
        ? {}
        : { clientId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) }),
    });
  }
});
