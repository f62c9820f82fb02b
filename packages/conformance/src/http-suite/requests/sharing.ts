import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { payment } from './client.ts';
import { newDeposit } from './made.ts';

export const sharingCases: RequestsCases = {
  'a parent manages objects of its child only under the id of the child': async ({ must }) => {
    const { id } = (await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' })).json;
    await must(200, 'GET', `payment-requests/${id}`, { account: 'org_child' });
    await must(404, 'GET', `payment-requests/${id}`);
    await must(200, 'POST', `payment-requests/${id}/cancel`, { account: 'org_child' });
  },
  'an object of another account is reported as unknown, for every request': async (client) => {
    const { must, send } = client;
    const { id } = (await must(201, 'POST', 'payment-requests', { body: payment })).json;
    const depositId = await newDeposit(client);
    const cashOut = (await must(201, 'POST', `security-deposits/${depositId}/cash-outs`, { body: { amount: 1 } })).json;
    const template = (await must(201, 'POST', 'payment-templates', { body: { name: 'Weekend' } })).json;
    const before = await client.stored();
    const theirs = { as: 'stranger', account: 'org_stranger' } as const;
    const requests = [
      ['GET', `payment-requests/${id}`],
      ['PATCH', `payment-requests/${id}`, { name: 'Mine' }],
      ['POST', `payment-requests/${id}/cancel`],
      ['POST', `security-deposits/${depositId}/check-in`],
      ['GET', `security-deposits/${depositId}/cash-outs`],
      ['POST', `security-deposits/${depositId}/cash-outs`, { amount: 1 }],
      ['GET', `security-deposits/${depositId}/cash-outs/${cashOut.id}`],
      ['POST', `security-deposits/${depositId}/cash-outs/${cashOut.id}/cancel`],
      ['DELETE', `payment-templates/${template.id}`],
    ] as const;
    for (const [method, path, body] of requests) {
      await must(404, method, path, { ...theirs, body });
      // Nor with their token under our id.
      await must(404, method, path, { as: 'stranger', body });
      const nowhere = await send(method, path.replace(/[0-9a-f-]{36}$/, 'none'), { ...theirs, body });
      strictEqual(nowhere.status, 404);
    }
    const stolen = { ...payment, templateId: template.id };
    await must(400, 'POST', 'payment-requests', { ...theirs, body: stolen });
    await must(404, 'GET', 'payment-requests', { account: 'org_dev' });
    deepStrictEqual((await must(200, 'GET', 'payment-requests', theirs)).json, { items: [] });
    strictEqual(await client.stored(), before);
  },
  'the body is read only after the token was accepted': async ({ must }) => {
    const headers = { authorization: 'Bearer nonsense', 'content-type': 'application/json' };
    const unsentBytes = 60_000;
    for (const [method, path] of [
      ['POST', 'payment-requests'],
      ['PATCH', 'payment-requests/x'],
      ['POST', 'security-deposits/x/cash-outs'],
      ['DELETE', 'payment-templates/x'],
    ] as const) {
      strictEqual((await must(401, method, path, { headers, unsentBytes })).json.code, 'invalid_token');
      await must(404, method, path, { as: 'stranger', unsentBytes });
    }
  },
};
