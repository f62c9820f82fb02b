import fc from 'fast-check';
import { expect } from 'vitest';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { accounts, objects, sealingKeys } from '../../support/kit.ts';

/** Wraps each call to what is stored. */
export type Gate = <T>(act: () => Promise<T>) => Promise<T>;

/** Opens an empty storage, whose calls go through a gate. */
export type OpenStorage = (gate: Gate) => Promise<Storage<never>>;

/** When a process dies. */
interface Death {
  /** The number of calls before. */
  readonly calls: number;
  /** Whether the last call is done, and its answer alone is lost. */
  readonly isDone: boolean;
  /** Whether the process ends, or goes on after this one failure. */
  readonly isFinal: boolean;
}

const gateOf = (death?: Death) => {
  let calls = 0;
  let isDead = false;
  let isDoomed = death !== undefined;
  const gate: Gate = async (act) => {
    if (isDead) throw new Error('dead');
    const isLast = isDoomed && calls++ === death?.calls;
    if (isLast && death?.isFinal) isDead = true;
    if (isLast && !death?.isDone) throw new Error('lost');
    const answer = await act();
    if (isLast) throw new Error('lost');
    return answer;
  };
  return {
    gate,
    hasDied: (): boolean => death !== undefined && calls > death.calls,
    /** The process that runs from now on does not die. */
    restart: (): void => {
      isDead = false;
      isDoomed = false;
    },
  };
};

const row = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), secret: fc.constantFrom('s1', 's2') });
const death = fc.record({ calls: fc.nat(16), isDone: fc.boolean(), isFinal: fc.boolean() });
/** In 2020. */
const madeAt = 1_577_836_800_000;
const ids = ['a', 'b', 'c', 'd'] as const;

type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const clientsOf = (rows: readonly Row[]) =>
  rows.map(({ id, secret }) => ({
    ...{ accountId: 'acc_a', id, name: `Old ${id}`, createdAt: madeAt },
    // Two secrets: a client is stored with both or not at all.
    secrets: [{ text: secret.padEnd(20, '-') }, { text: secret.padEnd(20, '+') }],
  }));
const endpointsOf = (rows: readonly Row[]) =>
  rows.map(({ id, secret }) => ({
    ...{ accountId: 'acc_a', reference: id, url: `https://partner.example/${id}`, createdAt: madeAt },
    ...{ events: ['payed'] as const, secret: secret.padEnd(20, '-'), deliveryHeader: { name: 'X-Key', value: 'k1' } },
  }));

const world = async (open: OpenStorage, dies?: Death) => {
  const { gate, hasDied, restart } = gateOf(dies);
  const storage = await open(gate);
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    ...{ advanced: { sealingKeys }, objects, storage },
    imported: { clients: true },
  });
  return { kit, storage, hasDied, restart };
};

type World = Awaited<ReturnType<typeof world>>;

const importAll = async ({ kit }: World, rows: readonly Row[]) => [
  await kit.import.clients(clientsOf(rows)),
  await kit.import.endpoints(endpointsOf(rows)),
];

/** What is stored. Sealed values differ each time: the reports compare what they contain. */
const stored = async ({ kit, storage }: World) => ({
  clients: await Promise.all(ids.map((id) => storage.clients.findClient(id))),
  endpoints: (await kit.endpoints.list('acc_a'))
    ._unsafeUnwrap()
    .items.toSorted((a, b) => (`${a.url}` < `${b.url}` ? -1 : 1)),
});

/** An import that dies at any call, is repeated, and runs beside another one leaves what one import leaves. */
export const assertTwiceEqualsOnce = async (open: OpenStorage, parameters: fc.Parameters<unknown>): Promise<void> => {
  const property = fc.asyncProperty(
    fc.array(row, { maxLength: 6 }),
    death,
    fc.boolean(),
    async (rows, dies, isBesideAnother) => {
      const once = await world(open);
      for (const report of await importAll(once, rows)) expect(report.isOk()).toBe(true);
      const expected = await stored(once);

      const twice = await world(open, dies);
      const first = importAll(twice, rows);
      // The first one may fail, because an answer is lost.
      const done = await Promise.all(isBesideAnother ? [first, importAll(twice, rows)] : [first]);
      // Two imports at once are no failure: each finds what the other one stored.
      if (!twice.hasDied()) for (const report of done.flat()) expect(report.isOk()).toBe(true);
      twice.restart();
      for (const report of await importAll(twice, rows)) expect(report.isOk()).toBe(true);
      const reports = await importAll(twice, rows);

      expect(await stored(twice)).toEqual(expected);
      const winner = new Map(rows.toReversed().map(({ id, secret }) => [id, secret]));
      for (const report of reports)
        expect(report._unsafeUnwrap().rows.map(({ outcome }) => outcome)).toEqual(
          rows.map(({ id, secret }) => (secret === winner.get(id) ? 'unchanged' : 'differs')),
        );
    },
  );
  await fc.assert(property, parameters);
};
