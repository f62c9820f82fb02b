import { readFileSync } from 'node:fs';
import { signalArbitrary } from '@partnerkit/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { telemetry } from './support/telemetry.ts';

const page = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
const signals = fc.sample(signalArbitrary(), { numRuns: 3_000, seed: 1 });

/** The names in the first column of the table that is headed so. */
const column = (head: string): readonly string[] => {
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? [];
  return [...rows.matchAll(/^\| `([\w.]+)/gm)].map(([, name = '']) => name);
};

describe('the page names', () => {
  test('every signal, and no other', () => {
    expect([...column('signal')].toSorted()).toEqual([...new Set(signals.map(({ kind }) => kind))].toSorted());
  });

  test('every metric, and no other', async () => {
    const { meterProvider, tracerProvider, measured } = telemetry();
    const backlog = async () => ({ undispatched: 0, waiting: 0, held: 0, beingAttempted: 0 });
    const { observe } = openTelemetry({ meterProvider, tracerProvider, backlog });
    for (const signal of signals) observe?.(signal);
    expect([...column('metric')].toSorted()).toEqual([...(await measured()).keys()].toSorted());
  });
});
