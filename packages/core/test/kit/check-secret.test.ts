import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { platform } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';
import vectors from '../vectors/secret-vectors.json' with { type: 'json' };

const [old, current] = vectors.secrets.map(({ secret, id }) => ({ bytes: Buffer.from(secret, 'hex'), id })) as [
  { bytes: Buffer; id: string },
  { bytes: Buffer; id: string },
];
const third = Buffer.from('V5uT2k0rj8wq7mJ1oXy9C3bL6sZd4aQfHgEiNpRtUvA=', 'base64');

/** Processes on one storage. Each call starts one, checks it and resolves to its findings. */
const starting = (storage = memoryStorage()) => {
  const random = seededRandom();
  const kitOf = (secret: Buffer | readonly Buffer[]) =>
    platform({ storage, random, secret, sealingKeys: undefined as never }).kit;
  const start = async (...secret: Buffer[]) =>
    (await kitOf(secret).check()).match(
      () => [],
      ({ findings }) => findings.map(({ part, code, detail }) => ({ part, code, detail })),
    );
  return { storage, kitOf, start };
};

const wrong = (own: unknown, last: string) => [
  {
    part: 'secret',
    code: 'wrong_secret',
    detail:
      `this process has the secret ${own}, and the database is used with ${last}: each environment needs a secret ` +
      'and a database of its own. If the secret was replaced, list the earlier one, too: secret: [new, earlier].',
  },
];
const outdated = (own: string, last: string) => [
  {
    part: 'secret',
    code: 'old_secret',
    detail:
      `this process has the old secret ${own}, and the database is used with ${last}, which replaced it: deploy ` +
      'the new secret to this process. To return to the old one, list both: secret: [old, new].',
  },
];

describe('check compares the secret with the storage', () => {
  test('the first start stores the id and nothing of the secret; the next one agrees', async () => {
    const { storage, start } = starting();
    expect([await start(old.bytes), await start(old.bytes)]).toEqual([[], []]);
    expect(await storage.secretIds.readSecretIds()).toEqual([old.id]);
  });

  test('another environment is told at its first start, before anything was sealed, and stores nothing', async () => {
    const { storage, start } = starting();
    await start(old.bytes);
    expect(await start(current.bytes)).toEqual(wrong(current.id, old.id));
    expect(await start(current.bytes, third)).toEqual(wrong(current.id, old.id));
    expect(await storage.secretIds.readSecretIds()).toEqual([old.id]);
  });

  test('of two environments that start at once on a new storage, one is told', async () => {
    const { start } = starting();
    const codes = (await Promise.all([start(old.bytes), start(current.bytes)])).flat().map(({ code }) => code);
    expect(codes).toEqual(['wrong_secret']);
  });

  test('each deployment of a rotation agrees with the one beside it; then the old secret alone is told', async () => {
    const { storage, start } = starting();
    const [a, b] = [old.bytes, current.bytes];
    for (const list of [[a], [a, b], [a], [b, a], [a, b], [b, a], [b], [b, a]])
      expect(await start(...list)).toEqual([]);
    expect(await start(a)).toEqual(outdated(old.id, current.id));
    expect(await start(third)).toEqual([expect.objectContaining({ code: 'wrong_secret' })]);
    expect(await storage.secretIds.readSecretIds()).toEqual([current.id, old.id]);
  });

  test('a rotation that is taken back leaves no finding', async () => {
    const { start } = starting();
    const [a, b] = [old.bytes, current.bytes];
    for (const list of [[a], [a, b], [b, a], [a, b], [a]]) expect(await start(...list)).toEqual([]);
    expect(await start(b)).toEqual(outdated(current.id, old.id));
  });

  test('a kit with sealing keys alone stores no id', async () => {
    const { storage, kit } = platform();
    expect((await kit.check()).isOk()).toBe(true);
    expect(await storage.secretIds.readSecretIds()).toEqual([]);
  });
});

describe('check names secrets that stored endpoints need', () => {
  const sealWith = async (...secrets: readonly (readonly Buffer[])[]) => {
    const made = starting();
    for (const secret of secrets)
      (
        await made.kitOf(secret).endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] })
      )._unsafeUnwrap();
    return made;
  };

  test('one that was removed before everything was sealed again', async () => {
    const { start } = await sealWith([old.bytes], [current.bytes, old.bytes]);
    await start(current.bytes, old.bytes);
    expect(await start(current.bytes)).toEqual([
      {
        part: 'secret',
        code: 'missing_key',
        detail:
          `1 endpoint needs the secret ${old.id}: list it at the end of secret. Before a secret is removed, ` +
          'kit.endpoints.reseal() must have run until countBySealingKey() no longer lists it.',
      },
    ]);
  });

  test('with a wrong secret only that is told, not each key', async () => {
    const { start } = await sealWith([old.bytes], [current.bytes, old.bytes]);
    await start(old.bytes);
    await start(current.bytes, old.bytes);
    expect(await start(third)).toEqual([expect.objectContaining({ code: 'wrong_secret' })]);
    expect(await start(old.bytes)).toEqual(outdated(old.id, current.id));
  });

  test('a row that was changed in the database', async () => {
    const { storage, start } = await sealWith([old.bytes], [old.bytes]);
    const [one, other] = (await storage.endpoints.listAllEndpoints({})).items;
    if (!one || !other) return expect.unreachable('two endpoints were stored');
    for (const [to, from] of [
      [one, other],
      [other, one],
    ] as const)
      expect(await storage.endpoints.replaceEndpoint({ ...to, ...(from.secret ? { secret: from.secret } : {}) })).toBe(
        true,
      );
    expect(await start(old.bytes)).toEqual([
      {
        part: 'secret',
        code: 'wrong_key',
        detail: expect.stringMatching(
          `^a value of endpoint (${one.id}|${other.id}) does not open with the secret ${old.id}: the row of this endpoint was changed in the database.$`,
        ),
      },
    ]);
  });
});
