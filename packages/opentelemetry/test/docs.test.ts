import { readFileSync } from 'node:fs';
import { signalArbitrary } from '@partnerkit/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { telemetry } from './support/telemetry.ts';

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/operations/${name}.md`, import.meta.url), 'utf8');
const signals = fc.sample(signalArbitrary(), { numRuns: 3_000, seed: 1 });

/** The names in the first column of the table of a page that has this head. */
const column = (page: string, head: string): readonly string[] => {
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(pageOf(page)) ?? [];
  return [...rows.matchAll(/^\| `([\w.]+)/gm)].map(([, name = '']) => name);
};

describe('the pages name', () => {
  test('every signal, and no other', () => {
    expect([...column('operating', 'signal')].toSorted()).toEqual(
      [...new Set(signals.map(({ kind }) => kind))].toSorted(),
    );
  });

  test('every metric, and no other', async () => {
    const { meterProvider, tracerProvider, measured } = telemetry();
    const backlog = async () => ({ undispatched: 0, waiting: 0, held: 0, beingAttempted: 0 });
    const health = async () => ({ now: 0, workers: [], freeShards: 0, failingEndpoints: 0, endpoints: [] });
    const worker = () => ({
      ...{ state: 'serving' as const, shards: 128, inFlight: 0, ready: 0, unsettled: 0, leaseLeftMs: 20_000 },
    });
    const { observe } = openTelemetry({ meterProvider, tracerProvider, backlog, worker, health });
    for (const signal of signals) observe?.(signal);
    expect([...column('observability', 'metric')].toSorted()).toEqual([...(await measured()).keys()].toSorted());
  });
});
