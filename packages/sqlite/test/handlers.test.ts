import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { afterEach, expect, test, vi } from 'vitest';
import { objects, sealingKeys } from '../../core/test/support/kit.ts';
import { sqliteStorage } from '../src/index.ts';
import { migratedFile } from './support/files.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test.each([true, false])(
  'while a handler hangs, transaction: %s, everything is published, and each webhook is sent',
  async (transaction) => {
    const { file, remove } = migratedFile();
    ends.push(remove);
    const storage = sqliteStorage(file);
    ends.push(storage.close);
    expect(storage.maxTransactions).toBe(1);
    const sender = memorySender();
    const kit = createPartnerkit({
      ...{ storage, sender, objects, tokens: memoryAccessTokens(), advanced: { sealingKeys } },
      accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
      onError: () => undefined,
    });
    (await kit.endpoints.create('acc_a', { url: 'https://one.example/', events: ['payed'] }))._unsafeUnwrap();
    let calls = 0;
    const handle = () => {
      calls++;
      return new Promise(() => undefined);
    };
    const events = ['RequestPayment.payed'] as const;
    const worker = kit.worker({ handlers: { ledger: { events, transaction, timeout: 200, handle } } });
    await worker.drain();
    worker.start();
    ends.push(worker.stop);
    for (let nth = 0; nth < 10; nth++) {
      const data = { id: `pay_${nth}` };
      await kit.events.publish(
        { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data },
        { tx: 'new' },
      );
      // Most of them while the handler holds its transaction.
      await vi.waitFor(() => expect(calls).toBeGreaterThan(Math.min(nth, 3)), { timeout: 60_000 });
    }
    await vi.waitFor(() => expect(sender.posts).toHaveLength(10), { timeout: 60_000 });
  },
);
