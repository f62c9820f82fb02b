import { describe, expect, test } from 'vitest';
import {
  addClient,
  assertProblem,
  child,
  logIn,
  memoryKit,
  mePath,
  oddChildren,
  own,
  startHost,
  startLoggedIn,
  tooLongChildren,
} from './support/host.ts';
import { type Answer, ask } from './support/wire.ts';

/** What an answer shows of the account that was asked for: all but the time and the id of the request. */
const shown = ({ status, headers, body }: Answer) => ({
  status,
  headers: { ...headers, date: '', 'x-request-id': '' },
  body,
});

describe('a client', () => {
  test.each([
    { name: 'its own account', account: own },
    { name: 'a child of it, whatever the child’s status', account: child },
    ...oddChildren.map((account) => ({ name: `the child ${account.id.slice(0, 20)} (${account.id.length})`, account })),
  ])('reaches $name', async ({ account }) => {
    const { host, headers } = await startLoggedIn();
    const answer = await ask(host, mePath(account.id), { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(
      JSON.stringify({ id: account.id, name: account.name, status: account.status, environment: 'prod' }),
    );
  });

  test('learns nothing about other accounts: parent, grandchild, stranger and absent are alike', async () => {
    const { host, headers } = await startLoggedIn();
    const absent = shown(await ask(host, mePath('acc_absent'), { headers }));
    expect(absent.status).toBe(404);
    for (const id of [
      'acc_parent',
      'acc_grandchild',
      'acc_stranger',
      ...tooLongChildren.map((account) => account.id),
    ]) {
      const answer = await ask(host, mePath(id), { headers });
      assertProblem(answer, 404, 'not_found');
      expect(shown(answer)).toEqual(absent);
    }
  });

  test('of a child does not reach its siblings, nor its parent', async () => {
    const kit = memoryKit({ api: { mayUseApi: () => true } });
    const host = await startHost({ kit });
    const headers = await logIn(host, await addClient(kit, child.id));
    const statuses = ['acc_child', 'acc_grandchild', 'acc_own', 'me'].map(
      async (id) => (await ask(host, mePath(id), { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  });

  test('without a token gets 401 only', async () => {
    const { host } = await startLoggedIn();
    for (const id of [own.id, 'acc_absent']) {
      const answer = await ask(host, mePath(id));
      assertProblem(answer, 401, 'missing_token');
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="partner"');
    }
  });

  test.each(['Bearer wrong', 'Bearer', 'Bearer a b'])('with "%s" is asked to log in again', async (authorization) => {
    const { host } = await startLoggedIn();
    assertProblem(await ask(host, mePath(own.id), { headers: { authorization } }), 401, 'invalid_token');
  });

  test('that is disabled later is refused', async () => {
    const { host, kit, headers, credentials } = await startLoggedIn({
      kit: memoryKit({ oauth: { revocationDelay: 0 } }),
    });
    expect((await ask(host, mePath(own.id), { headers })).status).toBe(200);
    expect((await kit.clients.disable(own.id, credentials.client_id)).isOk()).toBe(true);
    assertProblem(await ask(host, mePath(own.id), { headers }), 401, 'invalid_token');
  });
});

describe('the answer', () => {
  test('has the bytes of its content-length and the type application/json', async () => {
    const { host, headers } = await startLoggedIn();
    const answer = await ask(host, mePath(own.id), { headers });
    expect(answer.bytes.length).toBeGreaterThan(answer.body.length);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body).name).toBe(own.name);
  });

  test('to HEAD is that to GET without the body, whatever the status', async () => {
    const { host, headers } = await startLoggedIn();
    for (const [path, asked, status] of [
      [mePath(own.id), { headers }, 200],
      [mePath('acc_absent'), { headers }, 404],
      [mePath(own.id), {}, 401],
    ] as const) {
      const [get, head] = [await ask(host, path, asked), await ask(host, path, { ...asked, method: 'HEAD' })];
      expect(head.status).toBe(status);
      expect(shown(head)).toEqual({ ...shown(get), body: '' });
    }
  });

  test('does not depend on what the caller accepts', async () => {
    const { host, headers } = await startLoggedIn();
    const answer = await ask(host, mePath(own.id), { headers: { ...headers, accept: 'text/html' } });
    expect(answer.headers['content-type']).toBe('application/json');
  });
});
