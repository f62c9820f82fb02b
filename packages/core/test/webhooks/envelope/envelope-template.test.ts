import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelopeText, otherTexts, withOtherTexts } from '../../../src/webhooks/envelope/envelope.ts';
import { fillTemplate, templateOf, timeOf, UnstableText } from '../../../src/webhooks/envelope/envelope-template.ts';
import { runs } from '../../support/runs.ts';

const stamp = { id: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f', timestamp: 1_798_761_600 };

/** Forms of an envelope, as a host may write them. */
const writers: readonly ((stamp: { id: string; timestamp: number }, data: unknown) => string)[] = [
  ({ id, timestamp }, data) => JSON.stringify({ id, timestamp, data }),
  ({ timestamp }, data) => JSON.stringify({ data, at: timeOf(timestamp), ms: timestamp * 1_000 }),
  ({ id, timestamp }, data) => JSON.stringify({ key: `${id}${timestamp}${id}`, data, t: [timestamp, timestamp] }),
  ({ timestamp }, data) => JSON.stringify({ iso: new Date(timestamp * 1_000).toISOString(), data }),
];

test('assertTemplateEqualsText: filled in, a template is what the function writes', () => {
  // Data that looks like what the template looks for.
  const unlucky = fc.constantFrom(
    '1111111111',
    '2022222222',
    1_111_111_111,
    '2005-03-18T01:58:31',
    '01010101-0101-7101-8101-010101010101',
    'é🏡\u2028\n',
  );
  const data = fc.array(fc.oneof(unlucky, fc.string(), fc.integer()), { maxLength: 5 });
  const property = fc.property(fc.constantFrom(...writers), data, (write, given) => {
    expect(
      fillTemplate(
        templateOf((each) => write(each, given)),
        stamp,
      ),
    ).toBe(write(stamp, given));
  });
  fc.assert(property, runs);
});

test.each([
  [
    'a counter',
    (
      (calls) => () =>
        `{"n":${calls++}}`
    )(0),
  ],
  ['a time of day', ({ timestamp }: { timestamp: number }) => `{"t":"${new Date(timestamp * 1_000).toTimeString()}"}`],
  [
    'a growing text',
    (
      (calls) => () =>
        'x'.repeat(++calls)
    )(0),
  ],
])('a text that depends on %s has no template', (_, write) => {
  expect(() => templateOf(write)).toThrow(UnstableText);
});

test('texts of other envelopes stand before the text of the specification, which stays as it is', () => {
  const rest = ',"data":{"id":"p\\n"},"objectName":"RequestPayment","type":"payed"}';
  const others = { acme: ['{"a":"line\nend","t":', 0, '}'] };
  const tail = withOtherTexts(rest, others);
  expect(otherTexts(tail)).toEqual(others);
  expect(otherTexts(rest)).toEqual({});
  expect(envelopeText(7, tail)).toBe(`{"timestamp":7${rest}`);
});
