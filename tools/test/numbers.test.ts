import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { constantOf, listAfter, numberAfter } from '../docs/constants.mjs';
import * as sentences from '../docs/facts/index.mjs';
import { numberFaults } from '../docs/numbers.mjs';

const page = 'docs/page.md';
const facts = ['renews its lease of 20 seconds every 2 seconds', 'attempts in flight | 64 |', 'up to ten attempts'];
const said = `A worker renews its lease of 20 seconds
every 2 seconds, and makes up to ten attempts.

| option | meaning | default |
|---|---|---|
| \`concurrency\` | attempts in flight | 64 |
`;

const faultsOf = (text: string, more: object = {}): readonly string[] =>
  numberFaults(new Map([[page, text]]), { facts, others: [], ...more });

describe('numbers of pages', () => {
  it('accepts a sentence of the code, also over a line break', () => {
    expect(faultsOf(said)).toEqual([]);
  });

  it('names the sentence of the code that a page contradicts', () => {
    expect(faultsOf(said.replace('20 seconds', '30 seconds'))).toEqual([
      `${page}:1: "30 seconds": the code says "renews its lease of 20 seconds every 2 seconds".`,
      `${page}:2: "2 seconds": the code says "renews its lease of 20 seconds every 2 seconds".`,
      'No page says "renews its lease of 20 seconds every 2 seconds".',
    ]);
  });

  it.each([
    ['a duration', 'It waits 3 seconds.', '3 seconds'],
    ['a duration in words', 'It waits three seconds.', 'three seconds'],
    ['a duration of one', 'It waits a minute.', 'a minute'],
    ['a size', 'At most 64 KiB.', '64 KiB'],
    ['a count', 'An account has 30 endpoints.', '30 endpoints'],
    ['a count in words', 'After five failed attempts.', 'five failed attempts'],
    ['a version', 'It needs Node.js 18.2 or newer.', 'Node.js 18.2'],
    ['a default', '| `size` | how many | 7 |', '7'],
    ['a number that is longer than one of the code', 'renews its lease of 120 seconds every', '120 seconds'],
    ['a number that ends like one of the code', 'It keeps 64 KiB of it.', '64 KiB'],
    ['a number that begins in a sentence of the code', 'It is one of 12 shards.', '12 shards'],
    ['a comment of an example', '```ts\nstart(); // for 3 seconds\n```', '3 seconds'],
  ])('notices %s that nothing checks', (_name, text, number) => {
    const own = ['4 KiB of it', 'one of 12'];
    const faults = faultsOf(`${said}\n${own.join('. ')}.\n\n${text}\n`, { others: own });
    expect(faults).toEqual([expect.stringContaining(`"${number}"`)]);
  });

  it.each([
    ['code', '```ts\nwait(3 * seconds); const text = "3 seconds";\n```'],
    ['the address of a link', '[Waits](waits.md#3-seconds)'],
    ['a status', '| `not_found` | none of that id | 404 `not_found` |'],
    ['a step', '1. Wait.\n2. Seconds later, look.'],
    ['an ordinal', 'a second attempt'],
  ])('leaves %s alone', (_name, text) => {
    expect(faultsOf(`${said}\n${text}\n`)).toEqual([]);
  });

  it('asks for a page that says each sentence', () => {
    expect(faultsOf(said, { others: ['a promise of six months'] })).toEqual([
      'No page says "a promise of six months".',
    ]);
  });

  it('accepts other numbers where measurements are, but none that contradict the code', () => {
    const text = `${said}\n## At scale\n\nIt took 90 ms, and up to ten attempts.\n\n| | attempts in flight | 63 |\n`;
    const measuredPlaces = [`${page}#At scale`];
    expect(faultsOf(text, { measuredPlaces })).toEqual([]);
    expect(faultsOf(`${text}\n| \`a\` | attempts in flight | 63 |\n`, { measuredPlaces })).toEqual([
      `${page}:14: "63": the code says "attempts in flight | 64 |".`,
    ]);
    expect(faultsOf(text)).toEqual([expect.stringContaining('"90 ms"')]);
  });
});

describe('the pages of this repository', () => {
  const file = 'docs/concepts/delivery.md';
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const contradictions = (changed: string): readonly string[] =>
    numberFaults(new Map([[file, changed]]), sentences).filter((fault: string) => fault.startsWith(file));

  it.each([
    ['Any 2xx status within 15 seconds', 'Any 2xx status within 10 seconds'],
    ['| 5 min | 30 min |', '| 5 min | 20 min |'],
    ['one of 128 shards', 'one of 64 shards'],
    ['after 14 days in', 'after 30 days in'],
  ])('%s is checked', (right, wrong) => {
    expect(contradictions(text)).toEqual([]);
    expect(text).toContain(right);
    expect(contradictions(text.replace(right, wrong))).not.toEqual([]);
  });
});

describe('constants of the code', () => {
  const file = 'core/src/webhooks/worker/context/worker-options.ts';

  it.each([
    ['a constant with a type', 'core/src/webhooks/delivery-rules/delivery-policy.ts', 'maxTimeout', 15_000],
    ['a default', file, 'concurrency', 64],
    ['a default that is a unit', file, 'pruneEvery', 60_000],
    ['a property', 'core/src/webhooks/worker/context/retention.ts', 'held', 14 * 86_400_000],
    ['a default of a parameter', 'sqlite/src/storage.ts', 'pollMs', 25],
    ['a power', 'mysql/src/check.ts', 'smallestPacket', 16 * 1_048_576],
  ])('reads %s', (_name, path, name, value) => {
    expect(constantOf(path, name)).toBe(value);
  });

  it('reads lists, and numbers within text', () => {
    expect(listAfter('core/src/requests/commands/give-due.ts', 'const pauses').slice(0, 2)).toEqual([5_000, 30_000]);
    expect(numberAfter('node/src/undici/node-version.ts', 'needs Node.js 22.')).toBe(19);
  });

  it('throws where a constant is not there any more', () => {
    expect(() => constantOf(file, 'absent')).toThrow('no number "absent"');
    expect(() => constantOf('core/src/webhooks/worker/memory/memory.ts', 'maxReadyOfEndpoint')).toThrow('no number');
    expect(() => listAfter(file, 'absent')).toThrow('no list');
    expect(() => numberAfter(file, 'absent')).toThrow('no number after');
  });
});
