import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import * as core from '@partnerkit/core';
import * as adapter from '@partnerkit/core/adapter';
import * as memory from '@partnerkit/core/memory';
import * as wire from '@partnerkit/core/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
// The packages that examples name, from where they lie: this one knows none of them.
import * as node from '../../../node/src/index.ts';
import * as receiver from '../../../receiver/src/index.ts';
import * as testing from '../../src/index.ts';
import { fencesOf, runExample } from '../support/examples.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const modules: Readonly<Record<string, object>> = {
  '@partnerkit/core': core,
  '@partnerkit/core/adapter': adapter,
  '@partnerkit/core/memory': memory,
  '@partnerkit/core/wire': wire,
  '@partnerkit/testing': testing,
  '@partnerkit/receiver': receiver,
  '@partnerkit/node': node,
  'fast-check': { default: fc },
  'node:assert': assert,
};
/** What an example of a doc comment has at hand. */
const scope = {
  ...assert,
  ...core,
  ...adapter,
  ...wire,
  ...memory,
  ...node,
  ...testing,
  fc,
  isIP,
};

const run = (source: string): Promise<void> => runExample(source, { modules, scope });

const files = ['src/arbitraries', 'src/scripted'].flatMap((folder) =>
  readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`),
);
const examples = files.flatMap((file) =>
  [...read(file).matchAll(/\* @example\n((?: \* [^@].*\n)+)[\s\S]*?export const (\w+)/g)].map(
    ([, lines = '', name = '']): [string, string] => [name, lines.replace(/^ \* /gm, '')],
  ),
);

describe('every function has an example that runs', () => {
  const functions = files.flatMap((file) =>
    [...read(file).matchAll(/@public\n \*\/\nexport const (\w+)/g)].map(([, name]) => name),
  );
  test('has', () => expect(examples.map(([name]) => name).toSorted()).toEqual(functions.toSorted()));
  test.each(examples)('%s', (_name, source) => run(source));
});

const pages = ['README.md', '../../docs/packages/testing.md'].flatMap((page) => fencesOf(read(page)));
test.each(pages.map((source, index): [number, string] => [index + 1, source]))(
  'example %i of README and page runs',
  (_number, source) => run(source),
);
