import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reliabilityPage } from '../../../../tools/prove/page.ts';
import { promises } from '../../../../tools/prove/promises.ts';
import { chaosLaws } from '../../../postgres/test/chaos/laws.ts';
import { processLaws } from '../../src/prove/processes/laws.ts';
import { lawNames } from '../../src/simulator/laws.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../../../docs/operations/${file}`, import.meta.url), 'utf8');

test('the page of reliability is what was recorded: `npm run prove -- --page` writes it anew', () => {
  expect(read('reliability.md')).toBe(reliabilityPage(read('reliability.md'), JSON.parse(read('reliability.json'))));
});

test.each([
  ['simulator', lawNames],
  ['processes', Object.keys(processLaws)],
  ['postgres', chaosLaws],
] as const)('each law of %s belongs to one promise', (proof, names) => {
  expect(promises.flatMap((each) => each[proof]).toSorted()).toEqual(names.toSorted());
});
