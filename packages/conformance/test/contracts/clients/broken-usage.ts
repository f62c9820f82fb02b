import type { UsageDay } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double, meanwhile } from '../support/doubles.ts';

const broken = breakPort('clients');

/** Stores that handle the calls of clients wrong. */
export const brokenUsage: readonly Double<StorageFixture>[] = [
  broken(
    'only one client is read',
    ['calls are added by client and day, and read for several clients'],
    ({ readUsage }) => ({ readUsage: (ids) => readUsage(ids.slice(0, 1)) }),
  ),
  broken(
    'the refusal that is written last stands',
    ['a late record of calls moves neither the last call nor the last refusal back'],
    ({ addUsage, readUsage }) => {
      const written = new Map<string, UsageDay['lastRefusal']>();
      return {
        addUsage: async (days, since) => {
          for (const { clientId, lastRefusal } of days) if (lastRefusal) written.set(clientId, lastRefusal);
          await addUsage(days, since);
        },
        readUsage: async (ids) =>
          (await readUsage(ids)).map((each) => {
            const lastRefusal = written.get(each.clientId);
            return lastRefusal ? { ...each, lastRefusal } : each;
          }),
      };
    },
  ),
  broken('calls are read, and then written', ['simultaneous records of calls lose nothing'], ({ addUsage }) => {
    const sums = new Map<string, number>();
    return {
      addUsage: async (days, since) => {
        for (const each of days) {
          const key = `${each.clientId} ${each.date}`;
          const stored = sums.get(key) ?? 0;
          await meanwhile();
          const calls = stored + each.calls - (sums.get(key) ?? 0);
          sums.set(key, stored + each.calls);
          await addUsage([{ ...each, calls }], since);
        }
      },
    };
  }),
  broken('no day is deleted', ['old days of the named clients are deleted, and of no other'], ({ addUsage }) => ({
    addUsage: (days) => addUsage(days, '1970-01-01'),
  })),
  broken(
    'calls of an unknown client violate a foreign key',
    ['calls of an unknown client are no error, and hinder no other'],
    ({ addUsage, findClient }) => ({
      addUsage: async (days, since) => {
        for (const { clientId } of days)
          if (!(await findClient(clientId))) throw new Error('violates foreign key constraint');
        await addUsage(days, since);
      },
    }),
  ),
  broken(
    'calls are a change of the client',
    ['calls do not change a client, and a change keeps them'],
    ({ addUsage, findClient, replaceClient }) => ({
      addUsage: async (days, since) => {
        await addUsage(days, since);
        const client = await findClient(days[0]?.clientId ?? '');
        if (client) await replaceClient(client);
      },
    }),
  ),
  broken('a deleted client leaves its calls', ['calls are deleted with their client'], ({ addUsage, readUsage }) => {
    const left = new Map<string, UsageDay>();
    return {
      addUsage: async (days, since) => {
        for (const each of days) left.set(each.clientId, each);
        await addUsage(days, since);
      },
      readUsage: async (ids) => {
        const found = await readUsage(ids);
        return found.length > 0 ? found : ids.flatMap((id) => left.get(id) ?? []);
      },
    };
  }),
];
