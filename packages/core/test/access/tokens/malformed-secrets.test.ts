import { expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { login } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

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

test('a secret with the id of the right one is refused', async () => {
  const random = seededRandom();
  // Ids of secrets have 8 random bytes; here they are all the same.
  const bytes = (length: number) => (length === 8 ? new Uint8Array(8) : random.bytes(length));
  const { kit } = platform({ random: { bytes } });
  const add = async () => (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const [{ client, secret, secretId }, other] = [await add(), await add()];
  expect(other.secretId).toBe(secretId);
  const statusOf = async (client_secret: string) => (await login(kit, { client_id: client.id, client_secret })).status;
  expect(await statusOf(other.secret)).toBe(401);
  expect(await statusOf(secret)).toBe(200);
});
