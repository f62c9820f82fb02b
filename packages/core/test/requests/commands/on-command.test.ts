import { describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import type { GivenCommand } from '../../../src/requests/commands/on-command.ts';
import { CommandRejection } from '../../../src/requests/record/command-rejection.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { settled } from '../../support/clock.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
type Given = GivenCommand<object>;

/** A platform whose hook writes once it may go on, whatever became of the command. */
const slowHook = () => {
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve();
  const world = requestWorld(undefined, {
    onCommandTimeout: 3 * second,
    onCommand: async ({ object, tx }) => {
      if (object !== 'RequestPayment') return;
      late = waiting.then(() => done(world.requests.paymentTemplates.create(own.id, { name: 'Late' }, { tx })));
      await late;
    },
  });
  return { world, goOn, late: () => late };
};

describe('CommandRejection', () => {
  const rejection = (status: number) => () => new CommandRejection({ code: 'no', detail: 'No.', status });

  // RFC 9110 §15.5: WWW-Authenticate, Allow, Proxy-Authenticate and Upgrade.
  test.each([401, 405, 407, 426])('a status whose answer needs a header is refused: %i', (status) => {
    expect(rejection(status)).toThrow(new TypeError('status: from 400 to 499, without 401, 405, 407, 426.'));
  });

  test.each([399, 500, 409.5, Number.NaN])('a status that is none of the client is refused: %d', (status) => {
    expect(rejection(status)).toThrow(TypeError);
  });

  test.each([400, 402, 403, 422, 499])('any other status is the one of the answer: %i', (status) => {
    expect(rejection(status)().status).toBe(status);
  });
});

describe('onCommand', () => {
  test('receives the object before and after, the command and its caller, inside the transaction', async () => {
    const seen: Given[] = [];
    const world = requestWorld(undefined, {
      onCommand: async (given) => {
        seen.push(given);
        if (given.object !== 'RequestPayment') return;
        // What the command wrote is seen in its transaction alone.
        expect(await world.stores.payments.find(own, given.after.id, given.tx)).toEqual(given.after);
        expect((await world.stores.payments.find(own, given.after.id))?.version).toBe(given.before?.version);
      },
    });
    const { payments } = world.requests;
    const actor = { type: 'client', id: 'client_1' } as const;
    const made = await done(payments.create(own.id, input, { ...alone, actor }));
    const cancelled = await done(payments.perform(own.id, made.id, 'cancel', alone));
    expect(seen.map(({ tx: _tx, idempotencyKey: _key, ...given }) => given)).toEqual([
      { object: 'RequestPayment', command: 'create', before: undefined, after: made, caller: actor },
      { object: 'RequestPayment', command: 'cancel', before: made, after: cancelled, caller: { type: 'host' } },
    ]);
    expect([cancelled.createdBy, cancelled.updatedBy]).toEqual([actor, { type: 'host' }]);
  });

  test('is called once for a command on a cash-out, with its deposit as a rule left it', async () => {
    const seen: Given[] = [];
    const { requests } = requestWorld(undefined, { onCommand: (given) => void seen.push(given) });
    const { deposits, cashOuts } = requests;
    const deposit = await done(
      deposits.create(own.id, { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient }, alone),
    );
    await done(deposits.perform(own.id, deposit.id, 'succeedDeposit', alone));
    const { id } = await done(cashOuts.create(own.id, { depositId: deposit.id, amount: 20 }, alone));
    await done(cashOuts.perform(own.id, id, 'claim', alone));
    await done(cashOuts.perform(own.id, id, 'deny', { input: { reason: { code: 'no_proof' } }, ...alone }));
    expect(seen.map(({ object, command }) => `${object} ${command}`)).toEqual([
      'RequestSecurityDeposit create',
      'RequestSecurityDeposit succeedDeposit',
      'CashOut create',
      'CashOut claim',
      'CashOut deny',
    ]);
    expect(seen.at(-1)).toMatchObject({
      before: { status: 'claimed' },
      after: { status: 'denied', reason: { code: 'no_proof' } },
      deposit: { status: 'litigation' },
    });
  });

  test('refuses a command with its problem; nothing of the command is stored', async () => {
    const rejection = new CommandRejection({ code: 'limit_reached', detail: 'Next month.', status: 403 });
    const world = requestWorld(undefined, {
      onCommand: ({ command }) => {
        if (command === 'cancel') throw rejection;
      },
    });
    const { payments } = world.requests;
    const made = await done(payments.create(own.id, input, alone));
    const refused = await payments.perform(own.id, made.id, 'cancel', alone);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'rejected', rejection });
    // In a transaction of the host, the host's own writes must go too.
    const work = world.storage.transaction(async (tx) => payments.perform(own.id, made.id, 'cancel', { tx }));
    await expect(work).rejects.toBe(rejection);
    expect(await done(payments.find(own.id, made.id))).toEqual(made);
    expect(typesOf(await world.events())).toEqual(['creation']);
    expect((await done(payments.history(own.id, made.id))).items).toHaveLength(1);
  });

  test('that fails or hangs fails the command, and rolls it back', async () => {
    const cause = new Error('the ledger is closed');
    let act: () => Promise<void> = async () => undefined;
    const world = requestWorld(undefined, { onCommand: () => act(), onCommandTimeout: 3 * second });
    const { payments } = world.requests;
    const made = await done(payments.create(own.id, input, alone));
    act = () => Promise.reject(cause);
    expect((await payments.perform(own.id, made.id, 'cancel', alone))._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      cause,
    });
    act = () => new Promise(() => undefined);
    const hanging = payments.perform(own.id, made.id, 'cancel', alone);
    await settled();
    await world.clock.advance(3 * second);
    expect((await hanging)._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('onCommand: no answer within 3000 ms') },
    });
    expect(await done(payments.find(own.id, made.id))).toEqual(made);
    // Nobody sleeps on when a hook has answered.
    act = async () => undefined;
    await done(payments.perform(own.id, made.id, 'cancel', alone));
    expect(world.clock.sleepers()).toBe(0);
    expect(typesOf(await world.events())).toEqual(['creation', 'cancel']);
  });

  test('each hanging hook has its own timeout; hooks that return in time succeed', async () => {
    const world = requestWorld(undefined, {
      onCommand: ({ after }) => ('name' in after && after.name === 'Hangs' ? new Promise(() => undefined) : undefined),
      onCommandTimeout: 3 * second,
    });
    const { payments } = world.requests;
    const failedAt: number[] = [];
    const begun = world.clock.now();
    const hang = async (): Promise<void> => {
      const failed = await payments.create(own.id, { ...input, name: 'Hangs' }, alone);
      expect(failed._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        cause: { message: expect.stringContaining('no answer within 3000 ms') },
      });
      failedAt.push(world.clock.now() - begun);
    };
    const first = hang();
    await settled();
    await world.clock.advance(second);
    const later = hang();
    await settled();
    await done(payments.create(own.id, input, alone));
    await world.clock.advance(2 * second);
    await first;
    expect(failedAt).toEqual([3_000]);
    await world.clock.advance(second);
    await later;
    expect(failedAt).toEqual([3_000, 4_000]);
    expect(world.clock.sleepers()).toBe(0);
  });

  test('that goes on after its timeout writes nothing more', async () => {
    const { world, goOn, late } = slowHook();
    const { payments } = world.requests;
    const creating = payments.create(own.id, input, alone);
    await settled();
    await world.clock.advance(3 * second);
    expect(await codeOf(creating)).toBe('unavailable');
    goOn();
    await expect(late()).rejects.toMatchObject({ code: 'no_transaction' });
    expect((await done(payments.list(own.id))).items).toEqual([]);
    expect((await done(world.requests.paymentTemplates.list(own.id))).items).toEqual([]);
    expect(await world.events()).toEqual([]);
  });

  test('publishes and gives further commands in the same transaction', async () => {
    const world = requestWorld(undefined, {
      onCommand: async ({ object, command, after, tx }) => {
        if (object !== 'RequestPayment' || command !== 'create') return;
        const template = await world.requests.paymentTemplates.create(own.id, { name: after.name }, { tx });
        if (template.isErr()) throw new Error(template.error.code);
        if (after.name === 'Too much') throw new CommandRejection({ code: 'too_much', detail: 'Too much.' });
      },
    });
    const { payments, paymentTemplates } = world.requests;
    await done(payments.create(own.id, input, alone));
    expect(await codeOf(payments.create(own.id, { ...input, name: 'Too much' }, alone))).toBe('rejected');
    expect((await done(paymentTemplates.list(own.id))).items.map(({ name }) => name)).toEqual(['Stay']);
    expect(await world.events()).toHaveLength(2);
  });

  test('a change that changes nothing is no command: no hook, no event, no version', async () => {
    const seen: string[] = [];
    const world = requestWorld(undefined, { onCommand: ({ command }) => void seen.push(command) });
    const { payments } = world.requests;
    const made = await done(payments.create(own.id, { ...input, metadata: { a: '1', b: '2' } }, alone));
    for (const change of [{ amount: 120 }, { description: null }, { metadata: { b: '2', a: '1', c: null } }])
      expect(await done(payments.perform(own.id, made.id, 'change', { input: change, ...alone }))).toEqual(made);
    expect(
      await codeOf(payments.perform(own.id, made.id, 'change', { input: { amount: 120 }, ...alone, ifVersion: 2 })),
    ).toBe('version_mismatch');
    expect(seen).toEqual(['create']);
    expect(typesOf(await world.events())).toEqual(['creation']);
  });
});

test('a command is signalled after its commit, not after a rollback', async () => {
  let commits = true;
  const before: number[] = [];
  const signalled = () => world.signals.filter(({ kind }) => kind === 'command').length;
  const world = requestWorld(
    (clock) => {
      const storage = memoryStorage({ clock });
      const transaction: typeof storage.transaction = async (work, options) => {
        const value = await storage.transaction(work, options);
        if (!commits) throw new Error('The commit failed.');
        before.push(signalled());
        return value;
      };
      return { ...storage, transaction } as Storage<object>;
    },
    {
      onCommand: ({ after }) => {
        if ('name' in after && after.name === 'Refused') throw new CommandRejection({ code: 'no', detail: 'No.' });
      },
    },
  );
  const { payments } = world.requests;
  await done(payments.create(own.id, input, alone));
  expect([...before, signalled()]).toEqual([0, 1]);
  expect(await codeOf(payments.create(own.id, { ...input, name: 'Refused' }, alone))).toBe('rejected');
  commits = false;
  expect(await codeOf(payments.create(own.id, input, alone))).toBe('unavailable');
  expect(signalled()).toBe(1);
  // The end of the host's own transaction is not known.
  commits = true;
  await world.storage.transaction(async (tx) => {
    await done(payments.create(own.id, input, { tx }));
    expect(signalled()).toBe(2);
  });
});

test('a command is signalled with who gave it', async () => {
  const { requests, signals } = requestWorld();
  const actor = { type: 'host', id: 'night job' } as const;
  const { id } = await done(requests.payments.create(own.id, input, { ...alone, actor }));
  expect(signals.filter(({ kind }) => kind === 'command')).toEqual([
    { kind: 'command', object: 'RequestPayment', command: 'create', accountId: own.id, objectId: id, by: actor },
  ]);
});
