import { readFileSync } from 'node:fs';
import { signalArbitrary } from '@partnerkit/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../postgres/test/support/compile.ts';
import { openTelemetry } from '../src/index.ts';
import { telemetry } from './support/telemetry.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/observability.md');
const readme = read('packages/opentelemetry/README.md');
const signals = fc.sample(signalArbitrary(), { numRuns: 3_000, seed: 1 });

/** The names in the first column of the table that is headed so. */
const column = (head: string): readonly string[] => {
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? [];
  return [...rows.matchAll(/^\| `([\w.]+)/gm)].map(([, name = '']) => name);
};

/** What the pages say stands for something. */
const preamble = `
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
const options = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
  objects: [],
} as const;
declare const log: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;
`;

test('examples compile', { timeout: 120_000 }, () => {
  const fences = [page, readme].flatMap((text) => [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]);
  const sources = fences.map(([, source = '']) => {
    const own =
      source.includes("from '@partnerkit/core';\nimport { openTelemetry") && source.includes('createPartnerkit }');
    const before = own ? preamble.replace(/import \{ createPartnerkit \}.*\n/, '') : preamble;
    return `${before}${source}`.replace("'@partnerkit/opentelemetry'", "'../opentelemetry/src/index.ts'");
  });
  expect(sources).toHaveLength(4);
  expect(problemsOf(sources)).toEqual([]);
});

describe('the page names', () => {
  test('every signal, and no other', () => {
    expect([...column('signal')].toSorted()).toEqual([...new Set(signals.map(({ kind }) => kind))].toSorted());
  });

  test('every metric, and no other', async () => {
    const { meterProvider, tracerProvider, measured } = telemetry();
    const backlog = async () => ({ undispatched: 0, waiting: 0, held: 0, beingAttempted: 0 });
    const { observe } = openTelemetry({ meterProvider, tracerProvider, backlog });
    for (const signal of signals) observe(signal);
    expect([...column('metric')].toSorted()).toEqual([...(await measured()).keys()].toSorted());
  });
});
