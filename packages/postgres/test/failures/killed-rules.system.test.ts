import { fileURLToPath } from 'node:url';
import { createPartnerkit, day, minute, type Signal } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { expect, inject, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { killHosts } from './kill-hosts.ts';

const database = useDatabase(inject('postgres'));
const script = fileURLToPath(new URL('./due-process.ts', import.meta.url));
const kills = sized(1, 20);
const count = 20 * kills;
const alone = { tx: 'new' } as const;
const accountId = 'acc_ours';

const read = async (text: string): Promise<readonly string[]> =>
  (await database.pool().query(text)).rows.map(({ line }) => line);

/** A host in this process, with any number of workers. */
const host = () => {
  const signals: Signal[] = [];
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: accountId, environment: 'prod', name: 'Ours', status: 'active' }]),
    storage: postgresStorage(database.pool()),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects: requestObjects,
    observe: (signal) => signals.push(signal),
  });
  const requests = createRequests({
    kit,
    guarantee: { warnBefore: day, atEnd: 'fail' },
    onCommand: async ({ command, after, tx }) => {
      await tx.query('insert into ledger (id, command) values ($1, $2)', [after.id, command]);
    },
  });
  return { kit, requests, signals };
};

test('workers are killed while they give due commands: each command is committed once, with the rows of its hook', async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query('drop table if exists ledger; create table ledger (id text, command text)');
  const { kit, requests, signals } = host();
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient: { email: 'guest@example.com' } };
  const guaranteedUntil = Math.floor(((await database.now()) + day) / 1_000) + 600;
  for (let index = 0; index < count; index++) {
    const { id } = (await requests.deposits.create(accountId, input, alone))._unsafeUnwrap();
    const term = { input: { guaranteedUntil }, ...alone };
    (await requests.deposits.perform(accountId, id, 'succeedDeposit', term))._unsafeUnwrap();
  }
  await kit.worker().drain();
  expect(signals.filter(({ kind }) => kind === 'due_command')).toEqual([]);

  await database.elapse(10 * minute);
  // Its claims are free again.
  await killHosts({ command: script, database: database.url(), kills }, () => database.elapse(minute));
  const workers = [host(), host()];
  await Promise.all(workers.map(({ kit: each }) => each.worker().drain()));
  await database.elapse(day);
  await Promise.all(workers.map(({ kit: each }) => each.worker().drain()));

  const committed = `select id || ' ' || (entry::json ->> 'command') as line from partnerkit.request_history order by 1`;
  expect(await read(`select id || ' ' || command as line from ledger order by 1`)).toEqual(await read(committed));
  expect(
    await read(`select string_agg(entry::json ->> 'command', ' ' order by version) || ' ' || count(*) as line
      from partnerkit.request_history group by id`),
  ).toEqual(Array.from({ length: count }, () => 'create succeedDeposit warnOfEnd fail 4'));
  expect(await read('select id as line from partnerkit.request_due')).toEqual([]);
  const given = workers.flatMap((each) => each.signals).filter((signal) => signal.kind === 'due_command');
  for (const { lateMs, dueAt, outcome } of given) {
    expect([outcome, lateMs >= 0]).toEqual(['given', true]);
    expect([guaranteedUntil * 1_000, guaranteedUntil * 1_000 - day]).toContain(dueAt);
  }
  // What a killed worker had claimed was given after its lease.
  expect(given.some(({ attempts, lateMs }) => attempts > 1 && lateMs >= minute)).toBe(true);
});
