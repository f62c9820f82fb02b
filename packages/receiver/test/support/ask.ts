import type { HttpRequest, HttpResponse } from '@partnerkit/core';
import { expect } from 'vitest';
import { neverTold, sha1 } from './platform.ts';

export interface Answer extends HttpResponse {
  /** Of its problem document. */
  readonly code?: string;
}

/** An answer tells no secret, no API key, no thrown message, and not which signature would have been right. */
const assertTellsNothing = ({ body, headers }: HttpResponse, request: HttpRequest): void => {
  const told = `${JSON.stringify(headers)}${body}`;
  const right = request.body instanceof Uint8Array ? [sha1(request.body)] : [];
  const leaked = [...neverTold, ...right].filter((text) => told.includes(text));
  expect(leaked).toEqual([]);
};

/** Sends one request, and holds the answer against what is true of every answer. */
export const ask = async (
  { handle }: { handle(request: HttpRequest): Promise<HttpResponse> },
  request: HttpRequest,
): Promise<Answer> => {
  const answer = await handle(request);
  assertTellsNothing(answer, request);
  if (answer.status === 204) {
    expect(answer).toEqual({ status: 204, headers: {}, body: '' });
    return answer;
  }
  const problem = JSON.parse(answer.body);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  expect(problem).toEqual({
    title: expect.any(String),
    status: answer.status,
    code: expect.stringMatching(/^[a-z_]+$/),
    detail: expect.any(String),
  });
  // RFC 9110 §15.5.2
  expect(answer.headers['www-authenticate']).toBe(answer.status === 401 ? 'Webhook realm="receiver"' : undefined);
  return { ...answer, code: problem.code };
};

/** What it answered, in short: `204`, or `401 wrong_signature`. */
export const verdict = async (...asked: Parameters<typeof ask>): Promise<string> => {
  const { status, code } = await ask(...asked);
  return code === undefined ? String(status) : `${status} ${code}`;
};
