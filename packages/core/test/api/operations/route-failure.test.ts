import { expect, test } from 'vitest';
import type { RouteFailure } from '../../../src/api/operations/failure.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const answerTo = async (failure: unknown) => {
  const { kit, signals } = platform();
  const added = (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const route = kit.accountRoute('GET', '/organisations/:organisationId/notes', async () => failure as RouteFailure, {
    right: 'none',
  });
  const routes = [...kit.routes, route];
  const token = await loginToken({ routes }, added);
  const { status, headers, body } = await call({ routes }, 'GET', '/api/v1/partner/organisations/acc_a/notes', {
    headers: { authorization: `Bearer ${token}` },
  });
  const failed = signals.filter(({ kind }) => kind === 'request_failed');
  return { status, type: headers['content-type'], id: headers['x-request-id'], problem: JSON.parse(body), failed };
};

test('a refusal becomes a problem document in the host’s words, with a request id', async () => {
  const errors = [{ pointer: '/text', detail: 'missing.' }];
  const problem = { code: 'empty_note', detail: 'Write something.', errors };
  const answer = await answerTo({ code: 'refused', status: 409, problem });
  expect(answer).toMatchObject({ status: 409, type: 'application/problem+json', failed: [] });
  expect(answer.problem).toEqual({ title: 'Conflict', status: 409, ...problem });
  expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
});

test('not_found of a route is the same 404 as an account out of reach', async () => {
  const { problem } = await answerTo({ code: 'not_found' });
  expect(problem).toEqual({
    title: 'Not Found',
    status: 404,
    code: 'not_found',
    detail: 'There is nothing here that this client may access.',
  });
});

test('a failed port is 503 and is signalled', async () => {
  const { status, problem, failed, id } = await answerTo({ code: 'unavailable', cause: new TypeError('secret') });
  expect([status, problem.code]).toEqual([503, 'unavailable']);
  expect(failed).toEqual([{ kind: 'request_failed', requestId: id, status: 503, error: { name: 'TypeError' } }]);
  expect(JSON.stringify(problem)).not.toContain('secret');
});

test.each([{ status: 200 }, { status: 399 }, { status: 500 }, { status: Number.NaN }, {}])(
  'a refusal of status $status is the host’s mistake: 500',
  async (status) => {
    const answer = await answerTo({ code: 'refused', problem: { code: 'x', detail: 'y' }, ...status });
    expect([answer.status, answer.failed.length]).toEqual([500, 1]);
  },
);
