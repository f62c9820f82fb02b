import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { sized } from '../../../../../tools/tests/effort.ts';
import { filled, find, reader, readersOf, textsOf } from '../../support/hostile-text.ts';
import { request } from '../../support/http.ts';

/** Four or sixteen times what login reads. */
const size = sized(32, 128) * 1_024;
/** A detector of hangs, and no measure: each of these takes milliseconds. It ends regular expressions as well. */
const hung = { timeout: 5_000 };
const world = createContext({ act: undefined });
const run = new Script('act()');
const ends = <T>(act: () => T, options = hung): T => {
  Object.assign(world, { act });
  return run.runInContext(world, options) as T;
};

const texts = textsOf(size);

test.each(Object.entries(readersOf(size)))('%s is read in one go, whatever it holds', (_name, read) => {
  for (const [what, text] of Object.entries(texts)) expect(() => ends(() => read(text)), what).not.toThrow();
});

// Node.js says that it can parse these, and then throws.
test('a URL with a host too long for Node.js is refused without a throw', () => {
  expect(reader.changed({ url: `https://${filled(size, 'Q')}/` }).isErr()).toBe(true);
});

test('a long access token is refused, whatever it holds', async () => {
  const path = '/api/v1/partner/organisations/acc_a/me';
  for (const [what, text] of Object.entries(texts)) {
    const asked = request('GET', path, { headers: { authorization: `Bearer ${text}` } });
    const answer = ends(() => find(path)?.handle(asked));
    expect((await answer)?.status, what).toBe(401);
  }
});

test('a hang is detected', () => {
  const act = () => /^(a+)+$/.test(`${'a'.repeat(64)}!`);
  expect(() => ends(act, { timeout: 50 })).toThrow('Script execution timed out');
});
