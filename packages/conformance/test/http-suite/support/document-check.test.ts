import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { documentCheck } from '../../../src/http-suite/support/document-check.ts';

const check = documentCheck(
  createPartnerkit({
    accounts: memoryAccounts([]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: [],
  }).openApi({ title: 'Partner API' }),
);
const target = '/api/v1/partner/organisations/acc_a/me?x=1';
const account = { id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' };
const answer = (status: number, body: object, type = 'application/json') => ({
  status,
  headers: { 'content-type': type, ...(status >= 400 ? { 'x-request-id': 'req_1' } : {}) },
  body: JSON.stringify(body),
});
const problem = { title: 'Not Found', status: 404, code: 'not_found', detail: 'There is nothing here.' };
const problemType = 'application/problem+json';

test('an answer that the document describes passes', () => {
  expect(check('GET', target, answer(200, account))).toBe(true);
  expect(check('GET', target, answer(404, problem, problemType))).toBe(true);
});

test('what the document does not describe is not checked', () => {
  expect(check('PUT', target, answer(405, {}))).toBe(false);
  expect(check('GET', '/elsewhere', answer(200, {}))).toBe(false);
});

test.each([
  ['a field that is not in the document', answer(200, { ...account, more: 1 }), 'must NOT have unevaluated properties'],
  ['a missing field', answer(200, { ...account, name: undefined }), "must have required property 'name'"],
  ['a field of another type', answer(200, { ...account, name: 1 }), 'data/name must be string'],
  ['another status', answer(302, account), 'is not in the document'],
  ['another media type', answer(200, account, 'text/plain'), 'text/plain is not in the document'],
  ['another code', answer(404, { ...problem, code: 'gone' }, problemType), 'data/code must be equal to one of'],
  [
    'a field of a problem',
    answer(404, { ...problem, cause: 'x' }, problemType),
    'must NOT have unevaluated properties',
  ],
  [
    'a missing header',
    { ...answer(404, problem, problemType), headers: { 'content-type': problemType } },
    'the header x-request-id is missing',
  ],
])('%s fails', (_name, wrong, message) => {
  expect(() => check('GET', target, wrong)).toThrow(message);
});
