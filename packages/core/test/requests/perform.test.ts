import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import type { StoredRequest } from '../../src/requests/record/record.ts';
import { createRequests } from '../../src/requests/requests.ts';
import type { RequestStore } from '../../src/requests/stores/stores.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { defineObject } from '../../src/webhooks/catalogue/define-object.ts';
import { accounts, sealingKeys } from '../support/kit.ts';
import { alone, child, codeOf, done, own, recipient, requestWorld, stranger } from './world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('a command and its events are one', () => {
  test('in the host’s transaction: both are stored with its commit', async () => {
    const { requests, storage, events } = requestWorld();
    const { id } = await storage.transaction(async (tx) => {
      const made = await done(requests.payments.create(own.id, input, { tx }));
      await done(requests.payments.perform(own.id, made.id, 'succeed', { tx }));
      expect(await codeOf(requests.payments.find(own.id, made.id))).toBe('not_found');
      return made;
    });
    expect(await done(requests.payments.find(own.id, id))).toMatchObject({ status: 'payed', version: 2 });
    expect(typesOf(await events())).toEqual(['creation', 'payed']);
  });

  test('in the host’s transaction: neither is stored after its rollback', async () => {
    const { requests, storage, events } = requestWorld();
    const made = await done(requests.payments.create(own.id, input, alone));
    const cause = new Error('the host changed its mind');
    const work = storage.transaction(async (tx) => {
      await done(requests.payments.perform(own.id, made.id, 'succeed', { tx }));
      throw cause;
    });
    await expect(work).rejects.toBe(cause);
    expect(await done(requests.payments.find(own.id, made.id))).toEqual(made);
    expect(typesOf(await events())).toEqual(['creation']);
  });

  test('a refusal leaves the host’s transaction as it was', async () => {
    const { requests, storage, events } = requestWorld();
    const made = await done(requests.payments.create(own.id, input, alone));
    await storage.transaction(async (tx) => {
      await done(requests.payments.perform(own.id, made.id, 'cancel', { tx }));
      expect(await codeOf(requests.payments.perform(own.id, made.id, 'succeed', { tx }))).toBe('wrong_state');
    });
    expect(typesOf(await events())).toEqual(['creation', 'cancel']);
  });

  test('what cannot be published is not stored', async () => {
    const world = requestWorld();
    const { kit, stores } = world;
    const cause = new Error('the disk is full');
    let broken = false;
    const { payments } = createRequests({
      kit: {
        ...kit,
        events: {
          ...kit.events,
          publishMany: async (events, options) => {
            if (broken) throw cause;
            return kit.events.publishMany(events as never, options);
          },
        },
      },
    });
    const made = await done(payments.create(own.id, input, alone));
    broken = true;
    const failures = [
      await payments.create(own.id, input, alone),
      await payments.perform(own.id, made.id, 'cancel', alone),
    ];
    for (const failed of failures) expect(failed._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', cause });
    // In a transaction of the host the failure rejects, so that it rolls back.
    const work = world.storage.transaction(async (tx) => payments.create(own.id, input, { tx }));
    await expect(work).rejects.toBe(cause);
    expect((await stores.payments.list(own, {})).items).toEqual([made]);
    expect(typesOf(await world.events())).toEqual(['creation']);
  });

  test('of simultaneous commands one succeeds, and the others are refused', async () => {
    const { requests, events } = requestWorld();
    const { id } = await done(requests.payments.create(own.id, input, alone));
    const race = await Promise.all([
      requests.payments.perform(own.id, id, 'cancel', alone),
      requests.payments.perform(own.id, id, 'succeed', alone),
      requests.payments.perform(own.id, id, 'change', { input: { name: 'Other' }, ...alone, ifVersion: 1 }),
    ]);
    expect(race.map((each) => (each.isOk() ? each.value.status : each.error.code))).toEqual([
      'cancelled',
      'wrong_state',
      'version_mismatch',
    ]);
    expect(typesOf(await events())).toEqual(['creation', 'cancel']);
  });
});

describe('objects stay in their account and environment', () => {
  test('another account, or the same in another environment, has none of them', async () => {
    const { requests, place } = requestWorld();
    const payment = await done(requests.payments.create(own.id, input, alone));
    const deposit = await done(
      requests.deposits.create(own.id, { name: 'Stay', depositAmount: 1, currency: 'EUR', recipient }, alone),
    );
    const template = await done(requests.paymentTemplates.create(own.id, { name: 'Weekend' }, alone));
    for (const other of [child, stranger, { ...own, environment: 'dev' }]) {
      place(other.id, other.environment);
      expect(await codeOf(requests.payments.find(other.id, payment.id))).toBe('not_found');
      expect(await codeOf(requests.payments.perform(other.id, payment.id, 'cancel', alone))).toBe('not_found');
      expect(await codeOf(requests.cashOuts.create(other.id, { depositId: deposit.id, amount: 1 }, alone))).toBe(
        'not_found',
      );
      expect(await codeOf(requests.payments.create(other.id, { ...input, templateId: template.id }, alone))).toBe(
        'invalid_input',
      );
      expect((await done(requests.payments.list(other.id))).items).toEqual([]);
    }
  });

  test('a template of another account or environment is refused, even if a store returns it', async () => {
    const { stores, requestsOver, place } = requestWorld();
    const input = { name: 'Weekend', currency: 'EUR' };
    for (const other of [stranger, { ...own, environment: 'dev' }]) {
      const found = <R>(store: RequestStore<object, R & StoredRequest>): RequestStore<object, R & StoredRequest> => ({
        ...store,
        find: async (_owner, id, tx) => store.find(other, id, tx),
      });
      const all = requestsOver({
        paymentTemplates: found(stores.paymentTemplates),
        depositTemplates: found(stores.depositTemplates),
      });
      place(other.id, other.environment);
      const payment = await done(all.paymentTemplates.create(other.id, { ...input, amount: 1 }, alone));
      const deposit = await done(all.depositTemplates.create(other.id, { ...input, depositAmount: 1 }, alone));
      place(own.id, own.environment);
      const refused = [
        await all.payments.create(own.id, { recipient, templateId: payment.id }, alone),
        await all.deposits.create(own.id, { recipient, templateId: deposit.id }, alone),
      ];
      for (const each of refused)
        expect(each._unsafeUnwrapErr()).toMatchObject({
          code: 'invalid_input',
          errors: [{ pointer: '/templateId', detail: 'no template of this account.' }],
        });
    }
  });

  test('a malformed id is not looked up: a database would fail on it', async () => {
    const { stores, requestsOver, place } = requestWorld();
    const never = () => Promise.reject(new Error('invalid byte sequence for encoding "UTF8": 0x00'));
    const { payments, deposits, cashOuts } = requestsOver({
      payments: { ...stores.payments, find: never, list: never },
      deposits: { ...stores.deposits, find: never },
      cashOuts: { ...stores.cashOuts, find: never },
    });
    for (const id of ['a\u0000b', '\ud800', '', 'x'.repeat(257), 7 as unknown as string]) {
      expect(await codeOf(payments.find(own.id, id))).toBe('not_found');
      expect(await codeOf(payments.perform(own.id, id, 'cancel', alone))).toBe('not_found');
      expect(await codeOf(deposits.find(own.id, id))).toBe('not_found');
      expect(await codeOf(cashOuts.find(own.id, id))).toBe('not_found');
      expect(await codeOf(cashOuts.perform(own.id, id, 'cancel', alone))).toBe('not_found');
      for (const filter of [{ templateId: id }, { statuses: [id] }, { reference: id }, { recipientEmail: id }])
        expect(await done(payments.list(own.id, filter))).toEqual({ items: [] });
      const calls = [
        (owner: string) => payments.find(owner, 'x'),
        (owner: string) => payments.list(owner),
        (owner: string) => payments.perform(owner, 'x', 'cancel', alone),
      ];
      for (const call of calls) {
        if (typeof id === 'string') expect(await codeOf(call(id))).toBe('not_found');
        else expect(() => call(id)).toThrow(TypeError);
        place(own.id, id);
        await expect(call(own.id)).rejects.toThrow(TypeError);
        place(own.id, own.environment);
      }
    }
  });

  test('a store that returns another object is not trusted', async () => {
    const { stores, requestsOver, place } = requestWorld();
    const { payments } = requestsOver({
      payments: {
        ...stores.payments,
        find: async (_owner, id, tx) => stores.payments.find(own, id, tx),
        list: async (_owner, page) => stores.payments.list(own, page),
      },
    });
    const { id } = await done(payments.create(own.id, input, alone));
    for (const other of [stranger, { ...own, environment: 'dev' }]) {
      place(other.id, other.environment);
      expect(await codeOf(payments.find(other.id, id))).toBe('not_found');
      expect(await codeOf(payments.perform(other.id, id, 'cancel', alone))).toBe('not_found');
      expect((await done(payments.list(other.id))).items).toEqual([]);
    }
  });
});

test('a template fills in absent fields once: its changes and deletion do not change requests', async () => {
  const { requests } = requestWorld();
  const { payments, paymentTemplates } = requests;
  const given = { name: 'Weekend', description: 'Two nights', amount: 80, currency: 'CHF' };
  const template = await done(paymentTemplates.create(own.id, given, alone));
  const made = await done(payments.create(own.id, { recipient, templateId: template.id }, alone));
  expect(made).toMatchObject({ ...given, amount: 8_000, templateId: template.id });
  const other = { name: 'Week', description: 'Seven', amount: 7, currency: 'JPY', recipient };
  const { templateId, ...filled } = await done(payments.create(own.id, { ...other, templateId: template.id }, alone));
  expect([filled, templateId]).toMatchObject([other, template.id]);
  await done(
    paymentTemplates.perform(own.id, template.id, 'change', { input: { name: 'Longer', description: null }, ...alone }),
  );
  await done(paymentTemplates.perform(own.id, template.id, 'delete', alone));
  expect(await done(payments.find(own.id, made.id))).toEqual(made);
  expect(await codeOf(paymentTemplates.find(own.id, template.id))).toBe('not_found');
});

test('refunds never exceed the payment, to the cent; the last one leads to refunded', async () => {
  const { payments } = requestWorld().requests;
  const { id } = await done(payments.create(own.id, input, alone));
  expect(await codeOf(payments.perform(own.id, id, 'refund', alone))).toBe('wrong_state');
  await done(payments.perform(own.id, id, 'succeed', alone));
  const refund = (amount?: number) => payments.perform(own.id, id, 'refund', { input: { amount }, ...alone });
  expect(await codeOf(refund(120.01))).toBe('exceeds_payment');
  expect(await done(refund(50))).toMatchObject({ status: 'payed', refundedAmount: 5_000 });
  expect(await codeOf(refund(70.01))).toBe('exceeds_payment');
  expect(await done(refund())).toMatchObject({ status: 'refunded', refundedAmount: 12_000 });
  expect(await codeOf(refund(0.01))).toBe('wrong_state');
});

test('an amount keeps its currency, in a change and beside a template; a currency needs an amount', async () => {
  const { payments, paymentTemplates } = requestWorld().requests;
  const template = await done(paymentTemplates.create(own.id, { name: 'Weekend', amount: 80, currency: 'JPY' }, alone));
  const made = await done(payments.create(own.id, { recipient, templateId: template.id, amount: 90 }, alone));
  expect(made).toMatchObject({ name: 'Weekend', amount: 90, currency: 'JPY' });
  const change = (fields: object) => payments.perform(own.id, made.id, 'change', { input: fields, ...alone });
  expect(await done(change({ amount: 7 }))).toMatchObject({ amount: 7, currency: 'JPY' });
  expect(await done(change({ amount: 7.5, currency: 'EUR' }))).toMatchObject({ amount: 750, currency: 'EUR' });
  for (const wrong of [{ currency: 'USD' }, { amount: 7.505 }])
    expect(await codeOf(change(wrong))).toBe('invalid_input');
  const bare = await done(paymentTemplates.create(own.id, { name: 'Bare' }, alone));
  const halves = [{ amount: 5 }, { currency: 'EUR' }, {}];
  for (const half of halves)
    expect(await codeOf(payments.create(own.id, { recipient, templateId: bare.id, ...half }, alone))).toBe(
      'invalid_input',
    );
});

test('the reason of a command is shown until the next one', async () => {
  const { requests, events } = requestWorld();
  const { payments } = requests;
  const reason = { code: 'insufficient_funds', text: 'The bank said no.' };
  const { id } = await done(payments.create(own.id, input, alone));
  expect(await done(payments.perform(own.id, id, 'failTransaction', { input: { reason }, ...alone }))).toMatchObject({
    reason,
  });
  expect((await done(payments.perform(own.id, id, 'succeed', alone))).reason).toBeUndefined();
  expect((await events()).map(({ data }) => data['reason'])).toEqual([undefined, reason, undefined]);
  expect((await done(payments.history(own.id, id))).items.map((entry) => entry.reason)).toEqual([
    undefined,
    reason,
    undefined,
  ]);
});

test('mistakes of untyped code are TypeErrors, and nothing is stored', async () => {
  const { requests, stores, events } = requestWorld();
  const { payments, deposits, cashOuts } = requests;
  const { id } = await done(
    deposits.create(own.id, { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient }, alone),
  );
  const mistakes = [
    () => deposits.perform(own.id, id, 'create' as 'finish', alone),
    () => deposits.perform(own.id, id, 'constructor' as 'finish', alone),
    () => cashOuts.perform(own.id, 'cash-out', 'create' as 'deny', alone),
    () => cashOuts.perform(own.id, 'cash-out', 'pay' as 'deny', alone),
    () => deposits.perform(own.id, id, 'cancel', {} as typeof alone),
    () => deposits.perform(own.id, id, 'cancel', undefined as never),
    () => deposits.perform(own.id, id, 'cancel', { tx: 'old' as 'new' }),
    () => payments.create(own as never, input, alone),
    () => payments.create(undefined as never, input, alone),
  ];
  for (const mistake of mistakes) expect(mistake).toThrow(TypeError);
  expect((await stores.deposits.list(own, {})).items).toMatchObject([{ id, status: 'pending', version: 1 }]);
  expect(typesOf(await events())).toEqual(['creation']);
});

test('a second denied claim finds the deposit in litigation; the end of the last dispute resumes it', async () => {
  const { requests, events } = requestWorld();
  const { deposits, cashOuts } = requests;
  const { id } = await done(
    deposits.create(own.id, { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient }, alone),
  );
  const status = async () => (await done(deposits.find(own.id, id))).status;
  await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  const disputed = [
    await done(cashOuts.create(own.id, { depositId: id, amount: 1 }, alone)),
    await done(cashOuts.create(own.id, { depositId: id, amount: 1 }, alone)),
  ];
  for (const cashOut of disputed) {
    await done(cashOuts.perform(own.id, cashOut.id, 'claim', alone));
    await done(cashOuts.perform(own.id, cashOut.id, 'deny', alone));
    expect(await status()).toBe('litigation');
  }
  for (const [index, cashOut] of disputed.entries()) {
    await done(cashOuts.perform(own.id, cashOut.id, 'settle', { input: { amount: 0.5 }, ...alone }));
    expect(await status()).toBe(index === 0 ? 'litigation' : 'in_progress');
  }
  expect(typesOf(await events()).slice(4)).toEqual([
    'cashout_reclamation',
    'cashout_owner_deny_reclamation',
    'litigation',
    'cashout_reclamation',
    'cashout_owner_deny_reclamation',
    'update',
    'update',
    'update',
  ]);
});

test('a new offer does not end a dispute: only an agreement, a settlement or an end does', async () => {
  const { deposits, cashOuts } = requestWorld().requests;
  const { id } = await done(
    deposits.create(own.id, { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient }, alone),
  );
  await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  const status = async () => (await done(deposits.find(own.id, id))).status;
  const create = async () => (await done(cashOuts.create(own.id, { depositId: id, amount: 1 }, alone))).id;
  const [denied, offered] = [await create(), await create()];
  // Before any claim, a requested cash-out is in no dispute.
  expect(await codeOf(deposits.perform(own.id, id, 'litigate', alone))).toBe('no_dispute');
  await done(cashOuts.perform(own.id, offered, 'claim', alone));
  const offer = await done(cashOuts.perform(own.id, offered, 'offer', { input: { amount: 2 }, ...alone }));
  expect(offer.status).toBe('requested');

  await done(cashOuts.perform(own.id, denied, 'claim', alone));
  await done(cashOuts.perform(own.id, denied, 'deny', alone));
  await done(cashOuts.perform(own.id, denied, 'cancel', alone));
  expect(await status()).toBe('litigation');
  await done(deposits.perform(own.id, id, 'resume', alone));
  expect(await done(deposits.perform(own.id, id, 'litigate', alone))).toMatchObject({ status: 'litigation' });
  await done(cashOuts.perform(own.id, offered, 'accept', { input: { amount: 2 }, ...alone }));
  expect(await status()).toBe('in_progress');
});

test('a dispute forbids nothing but the end: it belongs to its cash-out', async () => {
  const { requests, events } = requestWorld();
  const { deposits, cashOuts } = requests;
  const made = { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient };
  const { id } = await done(deposits.create(own.id, made, alone));
  await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  const disputed = await done(cashOuts.create(own.id, { depositId: id, amount: 1 }, alone));
  await done(cashOuts.perform(own.id, disputed.id, 'claim', alone));
  await done(cashOuts.perform(own.id, disputed.id, 'deny', alone));
  const { version } = await done(deposits.find(own.id, id));

  // Another report of the dispute changes nothing.
  expect((await done(deposits.perform(own.id, id, 'litigate', alone))).version).toBe(version);
  await done(deposits.perform(own.id, id, 'checkIn', alone));
  await done(deposits.perform(own.id, id, 'checkOut', alone));
  const transaction = { kind: 'authorisation', amount: 10, processorReference: 'pi_more' } as const;
  await done(deposits.perform(own.id, id, 'extend', { input: { depositAmount: 60, transaction }, ...alone }));
  const change = { reference: 'stay-1', recipient: { email: 'new@example.com', name: 'Zoë', phone: '+41441234567' } };
  await done(deposits.perform(own.id, id, 'change', { input: change, ...alone }));
  await done(cashOuts.create(own.id, { depositId: id, amount: 59 }, alone));
  expect(await codeOf(deposits.perform(own.id, id, 'finish', alone))).toBe('wrong_state');
  expect(await done(deposits.find(own.id, id))).toMatchObject({ status: 'litigation', amount: 6_000, ...change });
  const later = ['check_in', 'check_out', 'update', 'update', 'cashout'];
  expect(typesOf(await events()).slice(-7)).toEqual(['cashout_owner_deny_reclamation', 'litigation', ...later]);
});

test('after its end, an object can change its reference, its metadata and the name and phone of its guest alone', async () => {
  const { requests } = requestWorld();
  const { payments, deposits, cashOuts } = requests;
  const payment = await done(payments.create(own.id, input, alone));
  await done(payments.perform(own.id, payment.id, 'succeed', alone));
  const deposit = await done(
    deposits.create(own.id, { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient }, alone),
  );
  await done(deposits.perform(own.id, deposit.id, 'succeedDeposit', alone));
  const cashOut = await done(cashOuts.create(own.id, { depositId: deposit.id, amount: 1 }, alone));
  await done(cashOuts.perform(own.id, cashOut.id, 'cancel', alone));
  await done(deposits.perform(own.id, deposit.id, 'finish', alone));

  const later = { reference: 'stay-1', metadata: { room: '7' } };
  const named = { ...later, recipient: { name: 'Zoë', phone: '+41441234567' } };
  const guest = { ...recipient, ...named.recipient };
  const changedPayment = await done(payments.perform(own.id, payment.id, 'change', { input: named, ...alone }));
  expect(changedPayment).toMatchObject({ status: 'payed', ...later, recipient: guest });
  const changedDeposit = await done(deposits.perform(own.id, deposit.id, 'change', { input: named, ...alone }));
  expect(changedDeposit).toMatchObject({ status: 'finished', ...later, recipient: guest });
  const changedCashOut = await done(cashOuts.perform(own.id, cashOut.id, 'change', { input: later, ...alone }));
  expect(changedCashOut).toMatchObject({ status: 'cancelled', ...later });

  const refused = [{ description: 'Other' }, { recipient: { email: 'other@example.com' } }, { amount: 1 }];
  for (const input of refused)
    expect(await codeOf(payments.perform(own.id, payment.id, 'change', { input, ...alone }))).toBe('wrong_state');
  const email = { recipient: { email: 'other@example.com' } };
  expect(await codeOf(deposits.perform(own.id, deposit.id, 'change', { input: email, ...alone }))).toBe('wrong_state');
  const description = { input: { description: 'Other' }, ...alone };
  expect(await codeOf(cashOuts.perform(own.id, cashOut.id, 'change', description))).toBe('wrong_state');
});

test('a host may publish less, by definitions of its own', async () => {
  const world = requestWorld();
  const less = defineObject('RequestPayment', {
    schema: z.object({ id: z.string(), status: z.string() }),
    events: { default: [], payed: ['status'] },
  });
  const [, deposits, paymentTemplates, depositTemplates] = requestObjects;
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys },
    storage: world.storage,
    objects: [less, deposits, paymentTemplates, depositTemplates],
  });
  const { payments } = createRequests({ kit });
  const { id } = await done(payments.create(own.id, input, alone));
  await done(payments.perform(own.id, id, 'succeed', alone));
  expect((await world.events()).map(({ data }) => data)).toEqual([{ id }, { id, status: 'payed' }]);
});

test('the largest deposit still fits into an event', async () => {
  const { requests, events } = requestWorld();
  const long = '\u{1f3e1}"\\'.repeat(125);
  const identified = {
    reference: 'r'.repeat(256),
    metadata: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`.padEnd(40, '"'), long])),
  };
  const made = await done(
    requests.deposits.create(
      own.id,
      { name: 'x'.repeat(256), description: long, depositAmount: 50, currency: 'EUR', recipient, ...identified },
      alone,
    ),
  );
  await done(requests.deposits.perform(own.id, made.id, 'succeedDeposit', alone));
  const create = () =>
    requests.cashOuts.create(own.id, { depositId: made.id, amount: 1, description: long, ...identified }, alone);
  for (let count = 0; count < 50; count++) {
    const { id } = await done(create());
    await done(requests.cashOuts.perform(own.id, id, 'claim', { input: { claim: long }, ...alone }));
    await done(
      requests.cashOuts.perform(own.id, id, 'cancel', { input: { reason: { code: 'x', text: long } }, ...alone }),
    );
  }
  expect(await codeOf(create())).toBe('too_many_cash_outs');
  expect(await events()).toHaveLength(152);
});
