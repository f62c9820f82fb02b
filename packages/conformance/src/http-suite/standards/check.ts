import { match, ok, strictEqual } from 'node:assert';
import { types } from 'node:util';
import type { Fill } from './exchange.ts';
import type { RowAnswer, RowResponse } from './row.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Asserts the members of a JSON value that the row names. */
const checkMembers = async (value: unknown, wanted: unknown, fill: Fill, at = ''): Promise<void> => {
  if (types.isRegExp(wanted)) return match(String(value), wanted, at);
  if (Array.isArray(wanted)) {
    ok(Array.isArray(value), `${at} is a list`);
    strictEqual(value.length, wanted.length, at);
    for (const [place, each] of wanted.entries()) await checkMembers(value[place], each, fill, `${at}/${place}`);
  } else if (isObject(wanted)) {
    ok(isObject(value), `${at} is an object`);
    for (const [name, each] of Object.entries(wanted)) await checkMembers(value[name], each, fill, `${at}/${name}`);
  } else strictEqual(value, typeof wanted === 'string' ? await fill(wanted) : wanted, at);
};

/** Asserts the answer of a row. */
export const checkAnswer = async (response: RowResponse, answer: RowAnswer, fill: Fill): Promise<void> => {
  const { status, headers = {}, body } = answer;
  strictEqual(response.status, status, response.body);
  for (const [name, wanted] of Object.entries(headers)) {
    const value = response.headers[name];
    if (wanted === null) strictEqual(value, undefined, name);
    else if (typeof wanted === 'string') strictEqual(value, await fill(wanted), name);
    else match(value ?? '', wanted, name);
  }
  if (body === undefined) return;
  if (typeof body === 'string') strictEqual(response.body, await fill(body));
  else await checkMembers(types.isRegExp(body) ? response.body : JSON.parse(response.body), body, fill);
};
