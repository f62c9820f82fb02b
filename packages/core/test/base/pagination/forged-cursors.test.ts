import { expect, test } from 'vitest';
import type { Result, ResultAsync } from '#result';
import { encodeCursor, type ListScope } from '../../../src/base/pagination/cursor.ts';
import { alone, own, requestWorld } from '../../requests/world.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const anId = '01930000-0000-7000-8000-000000000000';
/** Places that no store in memory can read. Only events are listed by their ids. */
const places = ['', 'x', '-1', '1e3', '9'.repeat(16), '\u0000', `${anId}0`];
/** The tag of a cursor is no secret: anybody who knows the list can compute it. */
const forge = (scope: ListScope, place: string): string => encodeCursor(scope, { items: [], next: place }).next ?? '';
const codeOf = (result: Result<unknown, { readonly code: string }>): string =>
  result.isErr() ? result.error.code : 'not refused';

/** The scope of a list of requests without a filter. */
const scopeOf = (object: string): ListScope => [
  ...[object, own.id, own.environment, false],
  ...Array.from({ length: 9 }, () => undefined),
  false,
];

/** Calls a list with forged cursors, after one whose place can be read: its scope is the list's. */
const refusesForged = async (
  scope: ListScope,
  list: (
    after: string,
  ) => Promise<Result<unknown, { readonly code: string }>> | ResultAsync<unknown, { readonly code: string }>,
  readable = '0',
): Promise<void> => {
  expect((await list(forge(scope, readable))).isOk()).toBe(true);
  for (const place of places) expect(codeOf(await list(forge(scope, place))), place).toBe('invalid_cursor');
};

test('a forged cursor is an invalid cursor on every list of a kit', async () => {
  const { kit } = platform();
  const { clients, endpoints, deliveries, events } = kit;
  const created = await endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] });
  const { id } = created._unsafeUnwrap().endpoint;
  const range = { from: 0, to: 1 };
  await refusesForged(['clients', 'acc_a', false], async (after) => clients.list('acc_a', { page: { after } }));
  await refusesForged(['endpoints', 'acc_a', false], async (after) => endpoints.list('acc_a', { page: { after } }));
  await refusesForged(['events', 'acc_a', false, []], async (after) => events.list('acc_a', { page: { after } }), anId);
  const listDeliveries = async (after: string) => deliveries.list('acc_a', { page: { after } });
  await refusesForged(['deliveries', 'acc_a', false, []], listDeliveries, `${anId}.${id}.0`);
  for (const call of ['replay', 'recover'] as const) {
    const list = async (after: string) => deliveries[call]('acc_a', id, { ...range, after });
    await refusesForged([call, 'acc_a', id, 0, 1], list, anId);
  }
});

test('a forged cursor is an invalid cursor on every list of requests', async () => {
  const { requests } = requestWorld();
  for (const [object, list] of [
    ['RequestPayment', requests.payments.list],
    ['RequestSecurityDeposit', requests.deposits.list],
    ['CashOut', requests.cashOuts.list],
    ['ModelRequestPayment', requests.paymentTemplates.list],
    ['ModelRequestSecurityDeposit', requests.depositTemplates.list],
  ] as const)
    await refusesForged(scopeOf(object), (after) => list(own.id, { page: { after } }), '0_x');
  const template = (await requests.paymentTemplates.create(own.id, { name: 'Weekend' }, alone))._unsafeUnwrap();
  const history = ['ModelRequestPayment history', own.id, own.environment, false, template.id];
  await refusesForged(
    history,
    (after) => requests.paymentTemplates.history(own.id, template.id, { page: { after } }),
    '0_0',
  );
});

test('over HTTP a forged cursor is 400, without a signal of a failing store', async () => {
  const world = requestWorld();
  const added = (await world.kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const routes = [...world.kit.routes, ...world.requests.routes];
  const headers = { authorization: `Bearer ${await loginToken({ routes }, added)}` };
  const scope = scopeOf('RequestPayment');
  const path = '/api/v1/partner/organisations/acc_a/payment-requests';
  for (const place of places) {
    const after = encodeURIComponent(forge(scope, place));
    const answer = await call({ routes }, 'GET', `${path}?after=${after}`, { headers });
    expect([answer.status, JSON.parse(answer.body).code], place).toEqual([400, 'invalid_cursor']);
  }
  expect(world.signals.filter(({ kind }) => kind === 'request_failed')).toEqual([]);
});
