import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { accounts, objects, sealingKeys } from '../../support/kit.ts';
import { runs } from '../../support/runs.ts';

const of = fc.record({
  accountId: fc.constantFrom('acc_a', 'acc_b', 'nobody'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  secret: fc.constantFrom('the first secret of them', 'the second secret of them', 'short'),
});
type Row = typeof of extends fc.Arbitrary<infer T> ? T : never;

const clientOf = ({ accountId, id, secret }: Row) => ({ accountId, id, name: 'Old', secrets: [{ text: secret }] });
const endpointOf = ({ accountId, id, secret }: Row) => ({
  ...{ accountId, reference: id, secret, events: ['payed'] as const },
  url: `https://partner.example/${id}`,
});

const addressOf = ({ accountId, id, secret }: Row) => ({
  accountId,
  address: secret === 'short' ? secret : `${id}@partner.example`,
});

test('assertDryRunForetells: the report of a dry run is that of the import, and it changes nothing', () =>
  fc.assert(
    fc.asyncProperty(fc.array(of), fc.array(of), fc.integer({ min: 1, max: 3 }), async (before, rows, maxEndpoints) => {
      const signals: unknown[] = [];
      const storage = memoryStorage();
      const kit = createPartnerkit({
        accounts: memoryAccounts(accounts),
        tokens: memoryAccessTokens(),
        sender: memorySender(),
        ...{ advanced: { sealingKeys }, objects, storage },
        imported: { clients: true },
        webhooks: { maxEndpoints },
        observe: (signal) => signals.push(signal),
      });
      const importAll = async (all: readonly Row[], dryRun: boolean) => [
        (await kit.import.clients(all.map(clientOf), { dryRun }))._unsafeUnwrap(),
        (await kit.import.endpoints(all.map(endpointOf), { dryRun }))._unsafeUnwrap(),
        (await kit.import.alertAddresses(all.map(addressOf), { dryRun }))._unsafeUnwrap(),
      ];
      await importAll(before, false);
      const stored = async () => [
        await storage.clients.listClients('acc_a', { limit: 100 }),
        await storage.endpoints.listAllEndpoints({ limit: 100 }),
        await Promise.all(accounts.map(({ id }) => storage.alerts.findAddress(id))),
        await storage.audit.listEntries(undefined, {}),
        signals.length,
      ];
      const untouched = await stored();
      const foretold = await importAll(rows, true);
      expect(await stored()).toEqual(untouched);
      const done = await importAll(rows, false);
      expect(foretold).toEqual(done.map((report) => ({ ...report, isDryRun: true })));
    }),
    runs,
  ));
