import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { payment } from './client.ts';

const { recipient } = payment;
const kinds = [
  ['payment-templates', 'payment-requests', 'amount'],
  ['security-deposit-templates', 'security-deposits', 'depositAmount'],
] as const;

/** Templates with variables and a time to pay. */
export const templateCases: RequestsCases = {
  'a request gives the variables of its template, and a later change of the template has no effect': async ({
    must,
  }) => {
    for (const [templates, requests, amount] of kinds) {
      const body = {
        name: 'Stay of {{guest}}',
        description: '{{guest}}, {{nights}} nights, {{guest}}',
        [amount]: 80,
        currency: 'EUR',
      };
      const template = (await must(201, 'POST', templates, { body })).json;
      deepStrictEqual([template.name, template.variables], [body.name, ['guest', 'nights']]);
      const from = { templateId: template.id, recipient };
      const variables = { guest: '{{nights}} $& Ann', nights: '3' };
      const made = (await must(201, 'POST', requests, { body: { ...from, variables } })).json;
      deepStrictEqual(
        [made.name, made.description, made.variables],
        ['Stay of {{nights}} $& Ann', '{{nights}} $& Ann, 3 nights, {{nights}} $& Ann', undefined],
      );
      // Only what is used must be given; what the template has may be.
      const described = { ...from, description: 'Two {{nights}}' };
      for (const given of [{ guest: 'Ann' }, { guest: 'Ann', nights: '3' }]) {
        const own = (await must(201, 'POST', requests, { body: { ...described, variables: given } })).json;
        deepStrictEqual([own.name, own.description], ['Stay of Ann', 'Two {{nights}}']);
      }
      await must(201, 'POST', requests, { body: { ...described, name: 'Own' } });
      const at = `${templates}/${template.id}`;
      const changed = (await must(200, 'PATCH', at, { body: { name: 'Stay', description: null } })).json;
      strictEqual('variables' in changed, false);
      deepStrictEqual((await must(200, 'GET', `${requests}/${made.id}`)).json, made);
    }
  },
  'missing variables, unknown ones and values that are too long are refused by their pointers': async (client) => {
    const { must, stored } = client;
    for (const [templates, requests, amount] of kinds) {
      const body = { name: '{{guest}}', description: 'In {{room}}', [amount]: 80, currency: 'EUR' };
      const { id } = (await must(201, 'POST', templates, { body })).json;
      const before = await stored();
      const pointersOf = async (given: object) => {
        const { json } = await must(400, 'POST', requests, { body: { templateId: id, recipient, ...given } });
        return json.errors.map((each: { pointer: string; detail: string }) => `${each.pointer} ${each.detail}`);
      };
      const missing = 'missing: the template needs it.';
      deepStrictEqual(await pointersOf({}), [`/variables/guest ${missing}`, `/variables/room ${missing}`]);
      deepStrictEqual(await pointersOf({ name: 'Own', variables: { guest: 'Ann' } }), [`/variables/room ${missing}`]);
      deepStrictEqual(await pointersOf({ variables: { guest: 'Ann', room: '1', constructor: 'x' } }), [
        '/variables/constructor no variable of the template.',
      ]);
      for (const guest of ['x'.repeat(257), 'two\nlines', '\u00e9'.repeat(129)])
        deepStrictEqual(await pointersOf({ variables: { guest, room: '1' } }), [
          '/variables values with which the name of the template keeps its rule.',
        ]);
      deepStrictEqual(await pointersOf({ variables: { guest: 'Ann', room: 'x'.repeat(500) } }), [
        '/variables values with which the description of the template keeps its rule.',
      ]);
      strictEqual(await stored(), before);
    }
  },
  'a template gives a request the date by which it is due, in UTC': async ({ must, clock }) => {
    for (const [templates, requests, amount] of kinds) {
      const dateIn = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
      const body = { name: 'Stay', [amount]: 80, currency: 'EUR', dueInDays: 14 };
      const template = (await must(201, 'POST', templates, { body })).json;
      strictEqual(template.dueInDays, 14);
      const from = { templateId: template.id, recipient };
      strictEqual((await must(201, 'POST', requests, { body: from })).json.dueDate, dateIn(14));
      const own = await must(201, 'POST', requests, { body: { ...from, dueDate: '2030-01-02' } });
      strictEqual(own.json.dueDate, '2030-01-02');
      const at = `${templates}/${template.id}`;
      await must(200, 'PATCH', at, { body: { dueInDays: 0 } });
      strictEqual((await must(201, 'POST', requests, { body: from })).json.dueDate, dateIn(0));
      await must(200, 'PATCH', at, { body: { dueInDays: null } });
      strictEqual((await must(201, 'POST', requests, { body: from })).json.dueDate, undefined);
    }
  },
};
