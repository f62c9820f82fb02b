import { describe, expect, it } from 'vitest';
import { inputFields, NoJson, needsInput, readInput } from '../../src/element/requests/input-fields.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  required: ['amount', 'recipient'],
  properties: {
    amount: { type: 'number', description: 'Above 0.' },
    kind: { type: 'string', enum: ['charge', 'capture'] },
    dueDate: { anyOf: [{ type: 'string', description: 'A date.' }, { type: 'null' }] },
    recipient: { type: 'object', required: ['email'], properties: { email: text, name: text } },
    reason: { type: 'object', required: ['code'], properties: { code: text } },
    metadata: { type: 'object' },
    transaction: { type: 'object', properties: { amount: { type: 'number' }, metadata: { type: 'object' } } },
  },
};
const fields = inputFields(schema);
const read = (given: Readonly<Record<string, string>>): object =>
  readInput(fields, ({ path }) => given[path.join('.')] ?? '');

describe('the form of a command', () => {
  it('has a field for each text and number, of objects too, and JSON for the rest', () => {
    expect(fields.map(({ path, type, isRequired }) => [path.join('.'), type, isRequired])).toEqual([
      ['amount', 'number', true],
      ['kind', 'choice', false],
      ['dueDate', 'text', false],
      ['recipient.email', 'text', true],
      ['recipient.name', 'text', false],
      ['reason.code', 'text', false],
      ['metadata', 'json', false],
      ['transaction', 'json', false],
    ]);
    expect(fields.map(({ description }) => description)).toContain('A date.');
  });

  it('leaves out what is empty', () => {
    expect(read({})).toEqual({});
    expect(read({ amount: ' 12.5 ', 'recipient.email': 'a@b.example', metadata: '{"a":"b"}', dueDate: ' ' })).toEqual({
      amount: 12.5,
      recipient: { email: 'a@b.example' },
      metadata: { a: 'b' },
    });
  });

  it('names the field that is no JSON', () => {
    expect(() => read({ metadata: '{' })).toThrow(NoJson);
  });

  it('is needed for a required field, or for a change of nothing', () => {
    expect([schema, { minProperties: 1 }, { properties: {} }, {}].map(needsInput)).toEqual([true, true, false, false]);
  });
});
