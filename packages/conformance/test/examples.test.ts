import { readFileSync } from 'node:fs';
import * as memory from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { fencesOf, runExample } from '../../testing/test/support/examples.ts';
import * as attacks from '../src/attacks/index.ts';
import * as contracts from '../src/contracts/index.ts';

const fences = fencesOf(readFileSync(new URL('../../../docs/packages/conformance.md', import.meta.url), 'utf8'));

test.each(fences.map((source, index): [number, string] => [index + 1, source]))(
  'example %i of the page registers its suite',
  async (_number, source) => {
    const registered: string[] = [];
    await runExample(source, {
      modules: {
        '@partnerkit/conformance/attacks': attacks,
        '@partnerkit/conformance/contracts': contracts,
        '@partnerkit/core/memory': memory,
        vitest: { test: (name: string) => registered.push(name) },
      },
    });
    expect(registered).not.toEqual([]);
  },
);
