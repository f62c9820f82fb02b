import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { ClientFailure, NewClientSecret } from '../../src/access/clients/clients.ts';
import type { AccessTokens } from '../../src/access/tokens/access-tokens.ts';
import type { PathParams } from '../../src/base/http/path.ts';
import type { Route } from '../../src/base/http/route.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { defineObject } from '../../src/webhooks/catalogue/define-object.ts';
import type { LeafPath } from '../../src/webhooks/catalogue/leaf-path.ts';
import type { EventType } from '../../src/webhooks/catalogue/specification.ts';
import type { Sender, SendOutcome } from '../../src/webhooks/deliveries/sender.ts';
import type { EndpointView } from '../../src/webhooks/endpoints/endpoint.ts';
import type { DispatchedEvent, NewEvent } from '../../src/webhooks/events/event.ts';
import type { EventInput } from '../../src/webhooks/events/publish.ts';
import type { Published, PublishFailure } from '../../src/webhooks/events/published.ts';

interface PgTx {
  query(text: string, params: readonly unknown[]): Promise<{ rows: unknown[] }>;
}
interface KyselyTx {
  selectFrom(table: string): unknown;
}
declare const pgStorage: Storage<PgTx>;
declare const pgTx: PgTx;
declare const kyselyTx: KyselyTx;
declare const tokens: AccessTokens;
declare const sender: Sender;

const accounts = { find: async (id: string) => ({ id, name: 'n', status: 'active', environment: 'dev' }) };
const sealingKeys = [{ id: 'k1', key: new Uint8Array(32) }] as const;

const depositSchema = z.object({
  id: z.string(),
  name: z.string(),
  depositAmount: z.number(),
  paidAt: z.date().optional(),
  note: z.string().nullable(),
  recipient: z.object({ email: z.email(), iban: z.string() }).optional(),
  lines: z.array(z.object({ label: z.string(), cents: z.int() })),
  grid: z.array(z.array(z.object({ x: z.number() }))),
  tags: z.array(z.string()),
  method: z.union([z.object({ card: z.string() }), z.object({ bank: z.string() })]),
  extra: z.record(z.string(), z.unknown()),
});
const deposit = defineObject('RequestSecurityDeposit', {
  schema: depositSchema,
  groups: { summary: ['name', 'depositAmount'], recipient: ['recipient.email'] },
  events: { default: ['summary'], user_register: ['summary', 'recipient'] },
});
const plain = z.object({ id: z.string(), amount: z.number().default(0) });
const payment = defineObject('RequestPayment', {
  schema: plain,
  groups: { all: ['amount'] },
  events: { default: ['all'] },
});

const kit = createPartnerkit({
  accounts,
  storage: pgStorage,
  tokens,
  sender,
  advanced: { sealingKeys },
  objects: [deposit, payment],
});
const paid = { accountId: 'a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;

describe('LeafPath', () => {
  test('names the leaves, through arrays, unions and what may be absent', () => {
    expectTypeOf<LeafPath<z.output<typeof depositSchema>>>().toEqualTypeOf<
      | 'id'
      | 'name'
      | 'depositAmount'
      | 'paidAt'
      | 'note'
      | 'recipient.email'
      | 'recipient.iban'
      | 'lines.label'
      | 'lines.cents'
      | 'grid.x'
      | 'tags'
      | 'method.card'
      | 'method.bank'
      | 'extra'
    >();
  });

  test('at most five levels deep', () => {
    type Deep = { a: { b: { c: { d: { e: string } } } } };
    expectTypeOf<LeafPath<Deep>>().toEqualTypeOf<'a.b.c.d.e'>();
    // Its fields lie deeper: it is no leaf, and none of them can be named.
    type Deeper = { id: string; a: { b: { c: { d: { e: { f: string } } } } } };
    expectTypeOf<LeafPath<Deeper>>().toEqualTypeOf<'id'>();
  });

  test('names the declared fields of an object that lets others pass', () => {
    const loose = z.looseObject({ id: z.string(), inner: z.looseObject({ a: z.string() }), free: z.looseObject({}) });
    expectTypeOf<LeafPath<z.output<typeof loose>>>().toEqualTypeOf<'id' | 'inner.a' | 'free'>();
  });

  test('ends where an object holds itself', () => {
    interface Node {
      id: string;
      parent?: Node;
    }
    expectTypeOf<'id' | 'parent.id' | 'parent.parent.id'>().toExtend<LeafPath<Node>>();
  });
});

describe('defineObject', () => {
  test('takes every group by name, and each of its events', () => {
    defineObject('ModelRequestPayment', {
      schema: plain,
      groups: { all: ['id'] },
      events: { default: [], deletion: ['all'] },
    });
    defineObject('ModelRequestPayment', { schema: plain, groups: {}, events: { default: [] } });
  });

  test('an event that the object does not have', () => {
    defineObject('RequestPayment', {
      schema: plain,
      groups: { all: ['id'] },
      // @ts-expect-error a payment is never deleted
      events: { default: ['all'], deletion: ['all'] },
    });
  });

  test('an event of no object at all', () => {
    defineObject('RequestPayment', {
      schema: plain,
      groups: { all: ['id'] },
      // @ts-expect-error there is no such event
      events: { default: ['all'], paid: ['all'] },
    });
  });

  test('a field that is not in the schema', () => {
    defineObject('RequestPayment', {
      schema: plain,
      // @ts-expect-error no such field
      groups: { all: ['nope'] },
      events: { default: ['all'] },
    });
  });

  test('a branch', () => {
    defineObject('RequestSecurityDeposit', {
      schema: depositSchema,
      // @ts-expect-error a branch is not a leaf
      groups: { all: ['recipient'] },
      events: { default: ['all'] },
    });
  });

  test('the branch of an array', () => {
    defineObject('RequestSecurityDeposit', {
      schema: depositSchema,
      // @ts-expect-error a branch is not a leaf
      groups: { all: ['lines'] },
      events: { default: ['all'] },
    });
  });

  test('a key below an object with free keys', () => {
    defineObject('RequestSecurityDeposit', {
      schema: depositSchema,
      // @ts-expect-error the object is one leaf
      groups: { all: ['extra.anything'] },
      events: { default: ['all'] },
    });
  });

  test('a group that is not there', () => {
    defineObject('RequestPayment', {
      schema: plain,
      groups: { all: ['id'] },
      // @ts-expect-error no such group
      events: { default: ['some'] },
    });
  });

  test('a group that is not there, of one event', () => {
    defineObject('RequestPayment', {
      schema: plain,
      groups: { all: ['id'] },
      // @ts-expect-error no such group
      events: { default: ['all'], payed: ['some'] },
    });
  });

  test('an id that is no string', () => {
    defineObject('RequestPayment', {
      // @ts-expect-error id is required, as a string
      schema: z.object({ id: z.number() }),
      groups: {},
      events: { default: [] },
    });
  });

  test('no id, or one that may be absent', () => {
    // @ts-expect-error id is required, as a string
    defineObject('RequestPayment', { schema: z.object({ amount: z.number() }), groups: {}, events: { default: [] } });
    defineObject('RequestPayment', {
      // @ts-expect-error id is required, as a string
      schema: z.object({ id: z.string().optional() }),
      groups: {},
      events: { default: [] },
    });
  });
});

describe('publish', () => {
  test('takes what the schema takes, in the transaction of the storage', () => {
    expectTypeOf(kit.events.publish(paid, { tx: pgTx })).toEqualTypeOf<Promise<Published>>();
    void kit.events.publish({ ...paid, data: { id: 'p', amount: 3 } }, { tx: 'new', idempotencyKey: 'k' });
    void kit.events.publish({ ...paid, occurredAt: 7 }, { tx: 'new' });
    void kit.events.tryPublish(paid, { tx: pgTx }).mapErr((failure) => {
      expectTypeOf(failure).toEqualTypeOf<PublishFailure>();
    });
  });

  test('publishMany takes objects of several kinds', () => {
    const data = {
      id: 'd',
      name: 'n',
      depositAmount: 1,
      note: null,
      lines: [],
      grid: [],
      tags: [],
      method: { card: 'c' },
      extra: {},
    };
    const checkedIn = { accountId: 'a', objectName: 'RequestSecurityDeposit', type: 'check_in', data } as const;
    void kit.events.publishMany([paid, { ...checkedIn, idempotencyKey: 'k' }], { tx: pgTx });
    // @ts-expect-error data of the other object
    void kit.events.publishMany([{ ...checkedIn, data: { id: 'd' } }], { tx: pgTx });
  });

  test('a pair that the object does not have', () => {
    // @ts-expect-error a payment is never deleted
    void kit.events.publish({ ...paid, type: 'deletion' }, { tx: pgTx });
    // @ts-expect-error nor checked in
    void kit.events.publish({ ...paid, type: 'check_in' }, { tx: pgTx });
    // @ts-expect-error not even without its other fields
    void kit.events.publish({ objectName: 'RequestPayment', type: 'deletion' }, { tx: pgTx });
  });

  test('data of another type, or without its id', () => {
    // @ts-expect-error amount is a number
    void kit.events.publish({ ...paid, data: { id: 'p', amount: '3' } }, { tx: pgTx });
    // @ts-expect-error id is missing
    void kit.events.publish({ ...paid, data: { amount: 3 } }, { tx: pgTx });
    // @ts-expect-error id is a text
    void kit.events.publish({ ...paid, data: { id: 3 } }, { tx: pgTx });
  });

  test('an object that the kit was not given', () => {
    // @ts-expect-error not among objects
    void kit.events.publish({ ...paid, objectName: 'ModelRequestPayment', type: 'deletion' }, { tx: pgTx });
  });

  test('no account', () => {
    // @ts-expect-error whose event it is
    void kit.events.publish({ objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } }, { tx: pgTx });
  });

  test('the transaction of another library', () => {
    // @ts-expect-error of Kysely, where pg's is needed
    void kit.events.publish(paid, { tx: kyselyTx });
    // @ts-expect-error any word but 'new'
    void kit.events.publish(paid, { tx: 'old' });
    // @ts-expect-error an object that looks like nothing
    void kit.events.publish(paid, { tx: {} });
  });

  test('a transaction that was forgotten', () => {
    // @ts-expect-error options are required
    void kit.events.publish(paid);
    // @ts-expect-error tx is required
    void kit.events.publish(paid, {});
    // @ts-expect-error tx is required
    void kit.events.publish(paid, { idempotencyKey: 'k' });
    // @ts-expect-error tx is required
    void kit.events.tryPublish(paid);
    // @ts-expect-error tx is required
    void kit.events.publishMany([paid]);
    // @ts-expect-error it may not be undefined either
    void kit.events.publish(paid, { tx: undefined });
  });

  test('a memory transaction comes from memoryStorage alone', () => {
    const inMemory = createPartnerkit({
      accounts,
      storage: memoryStorage(),
      tokens,
      sender,
      advanced: { sealingKeys },
      objects: [payment],
    });
    expectTypeOf(inMemory.events.publish).parameter(1).toHaveProperty('tx').toEqualTypeOf<MemoryTransaction | 'new'>();
    // @ts-expect-error nobody can make one up
    void inMemory.events.publish(paid, { tx: {} });
    // @ts-expect-error of pg
    void inMemory.events.publish(paid, { tx: pgTx });
  });

  test('what an event may hold', () => {
    type Input = EventInput<typeof deposit | typeof payment>;
    expectTypeOf<Extract<Input, { objectName: 'RequestPayment' }>['data']>().toEqualTypeOf<{
      id: string;
      amount?: number | undefined;
    }>();
    expectTypeOf<Extract<Input, { objectName: 'RequestPayment' }>['type']>().toEqualTypeOf<
      EventType<'RequestPayment'>
    >();
    expectTypeOf<Input['objectName']>().toEqualTypeOf<'RequestPayment' | 'RequestSecurityDeposit'>();
    expectTypeOf<DispatchedEvent['objectName']>().toEqualTypeOf<string>();
    expectTypeOf<NewEvent>().not.toHaveProperty('timestamp');
  });
});

describe('createPartnerkit', () => {
  test('needs at least one sealing key', () => {
    createPartnerkit({
      accounts,
      storage: pgStorage,
      tokens,
      sender,
      // @ts-expect-error at least one key
      advanced: { sealingKeys: [] },
      objects: [payment],
    });
    createPartnerkit({ accounts, storage: pgStorage, tokens, sender, secret: new Uint8Array(32), objects: [payment] });
  });

  test('needs each port', () => {
    // @ts-expect-error no storage
    createPartnerkit({ accounts, tokens, sender, advanced: { sealingKeys }, objects: [payment] });
    createPartnerkit({
      accounts,
      storage: pgStorage,
      tokens,
      sender,
      advanced: { sealingKeys },
      objects: [payment],
      // @ts-expect-error a base path begins with a slash
      api: { basePath: 'api' },
    });
    createPartnerkit({
      accounts,
      storage: pgStorage,
      tokens,
      sender,
      advanced: { sealingKeys },
      objects: [payment],
      // @ts-expect-error the only scope
      oauth: { defaultScope: 'ADMIN' },
    });
  });

  test('gives routes, and those of the host know their parameters', () => {
    expectTypeOf(kit.routes).toEqualTypeOf<readonly Route[]>();
    const route = kit.accountRoute(
      'GET',
      '/organisations/:organisationId/payments/:paymentId',
      async ({ account, scope }, request, params) => {
        expectTypeOf(params).toEqualTypeOf<{ readonly organisationId: string } & { readonly paymentId: string }>();
        expectTypeOf(account.parentId).toEqualTypeOf<string | undefined>();
        expectTypeOf(scope).toBeString();
        expectTypeOf(request.target).toBeString();
        // @ts-expect-error not in the path
        params.customerId;
        return { status: 200, headers: {}, body: account.id };
      },
      { right: 'none' },
    );
    expectTypeOf(route).toEqualTypeOf<Route>();
    // @ts-expect-error outside of an account
    kit.accountRoute('GET', '/payments', async () => ({ status: 200, headers: {}, body: '' }), { right: 'none' });
    const answer = async () => ({ status: 200, headers: {}, body: '' });
    // @ts-expect-error without the right that an API key needs
    kit.accountRoute('GET', '/organisations/:organisationId/notes', answer, {});
    expectTypeOf<PathParams<'/login'>>().toEqualTypeOf<Readonly<Record<never, string>>>();
  });
});

describe('what can be shown', () => {
  test('a view of a client or an endpoint has nothing secret', () => {
    expectTypeOf<NewClientSecret['client']['secrets'][number]>().not.toHaveProperty('digest');
    expectTypeOf<EndpointView>().toHaveProperty('url');
    expectTypeOf<EndpointView>().not.toHaveProperty('secret');
    expectTypeOf<EndpointView>().not.toHaveProperty('nextSecret');
    expectTypeOf<EndpointView>().not.toHaveProperty('deliveryHeader');
  });

  test('failures and signals are closed unions', () => {
    expectTypeOf<ClientFailure['code']>().toEqualTypeOf<
      | 'not_found'
      | 'too_many_secrets'
      | 'changed_meanwhile'
      | 'version_mismatch'
      | 'invalid_input'
      | 'invalid_cursor'
      | 'unavailable'
    >();
    expectTypeOf<PublishFailure['code']>().toEqualTypeOf<
      'invalid_event' | 'too_large' | 'idempotency_conflict' | 'no_transaction' | 'unavailable'
    >();
    expectTypeOf<SendOutcome['kind']>().toEqualTypeOf<'answered' | 'failed'>();
    expectTypeOf<Signal['kind']>().toEqualTypeOf<
      | 'login'
      | 'login_failures_high'
      | 'login_body_parsed'
      | 'request_failed'
      | 'client'
      | 'handler_attempt'
      | 'endpoint'
      | 'delivery_sent_again'
      | 'published'
      | 'command'
      | 'due_command'
      | 'dispatched'
      | 'attempt'
      | 'endpoint_failing'
      | 'endpoint_recovered'
      | 'endpoint_disabled'
      | 'delivery_expired'
      | 'timestamp_ahead'
      | 'unknown_account'
      | 'worker_absent'
      | 'worker_error'
    >();
  });

  test('the routes of a kit are read only', () => {
    // @ts-expect-error read only
    kit.routes = [];
  });

  test('an endpoint selects types and pairs of the objects, and nothing else', () => {
    const url = 'https://partner.example/';
    void kit.endpoints.create('acc', { url, events: ['payed', 'RequestSecurityDeposit.creation'] });
    // @ts-expect-error a payment request is never deleted
    void kit.endpoints.create('acc', { url, events: ['RequestPayment.deletion'] });
    // @ts-expect-error a pair needs a type
    void kit.endpoints.create('acc', { url, events: ['RequestPayment'] });
  });
});
