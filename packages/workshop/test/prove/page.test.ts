import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ContractRuns, contractsPage } from '../../../../tools/contracts/page.ts';
import { suites, suitesOfCase } from '../../../../tools/contracts/suites.ts';
import { reliabilityPage } from '../../../../tools/prove/page.ts';
import { promises } from '../../../../tools/prove/promises.ts';
import { processLaws } from '../../../conformance/src/prove/processes/laws.ts';
import { lawNames } from '../../../conformance/src/simulator/laws.ts';
import { chaosLaws } from '../../../postgres/test/chaos/laws.ts';

const read = (file: string, folder = 'operations'): string =>
  readFileSync(new URL(`../../../../docs/${folder}/${file}`, import.meta.url), 'utf8');

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

test('the table of contract suites is what was recorded: `npm run contracts -- --page` writes it anew', () => {
  const page = read('storages.md', 'contributing');
  const runs: ContractRuns = JSON.parse(read('contracts.json', 'contributing'));
  expect(page).toBe(contractsPage(page, suites, runs));
  const left = Object.values(runs).flatMap(({ deviations }) => deviations.flatMap(({ names }) => names));
  expect(left.filter((name) => !suitesOfCase.has(name))).toEqual([]);
});
