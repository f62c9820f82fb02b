import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { badCalls } from '../../../conformance/src/bad-input/bad-calls.ts';
import { httpCases } from '../../../conformance/src/http-suite/partner/cases.ts';
import { receiverCases } from '../../../conformance/src/http-suite/receiver/cases.ts';
import { badRequests } from '../../../conformance/src/http-suite/requests/bad.ts';
import { nameOf } from '../../../conformance/src/http-suite/requests/bad-request.ts';
import { alikeKey, badInputPage } from '../../src/bad-input/page.ts';

test('the page of bad input is what the suites say: `pnpm run docs:bad-input` writes it anew', () => {
  expect(readFileSync(new URL('../../../../docs/reference/bad-input.md', import.meta.url), 'utf8')).toBe(
    badInputPage(),
  );
});

test('every bad case has its line', () => {
  const lines = badInputPage()
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|request|input) \|/.test(line));
  const bad = [...httpCases, ...receiverCases].filter((each) => each.bad !== undefined);
  // Values that are refused alike share a line.
  const ofRequests = new Set(Object.values(badRequests).flatMap((group) => group.map(alikeKey)));
  expect(lines).toHaveLength(bad.length + badCalls.length + ofRequests.size);
});

test('each request is named once', () => {
  const ofRequests = Object.values(badRequests).flat().map(nameOf);
  const names = [...[...httpCases, ...receiverCases].map(({ name }) => name), ...ofRequests];
  expect(new Set(names).size).toBe(names.length);
});
