import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/memory/storage.ts';
import { login } from '../support/http.ts';
import { platform } from '../support/kit.ts';

test('a well-formed unknown secret reads the store once; a malformed one is refused before', async () => {
  const storage = memoryStorage();
  let reads = 0;
  const findClient = (id: string) => {
    reads++;
    return storage.clients.findClient(id);
  };
  const { kit } = platform({ storage: { ...storage, clients: { ...storage.clients, findClient } } });
  const add = async () => (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const [{ client, secret }, other] = [await add(), await add()];
  const readsFor = async (client_secret: string): Promise<number> => {
    reads = 0;
    expect((await login(kit, { client_id: client.id, client_secret })).status).toBe(401);
    return reads;
  };

  expect(await readsFor(other.secret)).toBe(1);
  const last = secret.endsWith('a') ? 'b' : 'a';
  const malformed = [`${secret}a`, secret.slice(0, -1), secret.slice(0, -1) + last, `x${secret}`, secret.slice(4), 'x'];
  for (const wrong of malformed) expect(await readsFor(wrong), wrong).toBe(0);
});
