import { bad, type HttpCase } from '../support/http-case.ts';
import { confirmed, event, noEnvelope, signed } from './requests.ts';

/** A correctly signed body that is not an envelope. */
const refused = (what: string, body: string): HttpCase => ({
  name: `a webhook ${what}`,
  request: signed(body),
  ...noEnvelope,
});
/** An unusual envelope that is accepted. */
const taken = (what: string, change: (text: string) => string): HttpCase => ({
  name: `a webhook ${what}`,
  request: signed(change(event(what))),
  ...confirmed,
});
const sound = event('no envelope');
const timestamp = (text: string) => (envelope: string) => envelope.replace('1732147200', text);
const data = (field: string) => (envelope: string) => envelope.replace('"data":{', `"data":{${field},`);

const texts: readonly HttpCase[] = [
  refused('that is not JSON', 'timestamp=1&type=payed'),
  refused('that is truncated JSON', sound.slice(0, -1)),
  refused('that is two JSON objects', `${sound}${sound}`),
  refused('that is not an envelope', '[]'),
  refused('that is null', 'null'),
  refused('with NaN', timestamp('NaN')(sound)),
  refused('with a NUL after it', `${sound}\0`),
  refused('with a line end inside a text', sound.replace('payed', 'pay\ned')),
  refused('of 100,000 brackets that do not close', '['.repeat(100_000)),
  refused('nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)),
];

const prototypes = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
const shapes: readonly HttpCase[] = [
  ...(['timestamp', 'data', 'objectName', 'type'] as const).flatMap((field) => {
    const { [field]: _left, ...others } = JSON.parse(sound) as Record<string, unknown>;
    return [
      refused(`without ${field}`, JSON.stringify(others)),
      refused(`whose ${field} is null`, JSON.stringify({ ...others, [field]: null })),
      refused(`whose ${field} is a list`, JSON.stringify({ ...others, [field]: ['x'] })),
    ];
  }),
  refused('whose data.id is a number', sound.replace('"no envelope"', '7')),
  refused('whose data has no id', sound.replace('"id"', '"name"')),
  refused('whose fields are all in "__proto__"', `{"__proto__":${sound}}`),
  refused('whose data.id is in "__proto__"', sound.replace('"id":"no envelope"', '"__proto__":{"id":"x"}')),
  taken('of an unknown object and type', (text) => text.replace('RequestPayment', 'Invoice').replace('payed', 'x')),
  taken('of the object "__proto__" and the type "constructor"', (text) =>
    text.replace('RequestPayment', '__proto__').replace('payed', 'constructor'),
  ),
  taken('with unknown fields', (text) => text.replace(/}$/, ',"more":[{}]}')),
  taken('with a repeated key, of which the last counts', (text) => text.replace('"type"', '"type":7,"type"')),
  taken('with "__proto__" and "constructor" in it and in its data', (text) =>
    data(prototypes)(text).replace(/}$/, `,${prototypes}}`),
  ),
  taken('with data nested 100,000 deep', data(`"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
  taken('with a number beyond the range of numbers in its data', data('"amount":1e999')),
  taken('with a number of 10,000 digits in its data', data(`"amount":${'9'.repeat(10_000)}`)),
  taken('with half a surrogate pair in its id', (text) => text.replace('"id":"', '"id":"\\ud800')),
  taken('with a NUL in its id', (text) => text.replace('"id":"', '"id":"\\u0000')),
  taken('with an id of 100,000 characters', (text) => text.replace('"id":"', `"id":"${'x'.repeat(100_000)}`)),
];

const times: readonly HttpCase[] = [
  ...['"1732147200"', '1732147200.5', '1e999', '-1e999', '9007199254740992', '{}', 'true'].map((text) =>
    refused(`with the timestamp ${text}`, timestamp(text)(sound)),
  ),
  ...['0', '-1', '-0', '1e9', '1732147200.0', '9007199254740991', '-9007199254740991'].map((text) =>
    taken(`with the timestamp ${text}`, timestamp(text)),
  ),
];

/** Correctly signed webhook bodies, valid and invalid. */
export const envelopeCases: readonly HttpCase[] = bad('webhook body', [...texts, ...shapes, ...times]);
