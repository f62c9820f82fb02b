import { payment } from '../../requests/client.ts';
import { account, call, type RowRequest, type StandardsGroup } from '../row.ts';

const collection = `POST ${account}/payment-requests`;
const text = JSON.stringify(payment);
const create = (body: string | Uint8Array) => call(collection, [], body);
const made = { status: 201, body: { name: payment.name } };
const noJson = { status: 400, body: { status: 400, code: 'bad_request', detail: 'The body is not valid JSON.' } };

const path = `${account}/payment-requests/<payment>`;
const patch = (body: string, type = 'application/merge-patch+json'): RowRequest =>
  call(`PATCH ${path}`, [`Content-Type: ${type}`], body);
const patched = (body: Readonly<Record<string, unknown>>) => ({ status: 200, body });
const wrong = (...pointers: readonly string[]) => ({
  status: 400,
  body: { code: 'invalid_input', errors: pointers.map((pointer) => ({ pointer, detail: /./ })) },
});
const described = { ...payment, description: 'Sea', metadata: { a: '1', b: '2' } };
const creation = create(JSON.stringify(described));
const change = call('PATCH <location>', [], '{"description":null,"metadata":{"a":null,"c":"3"}}');

export const jsonRows: readonly StandardsGroup[] = [
  {
    standard: 'RFC 8259',
    title: 'JSON',
    url: 'https://www.rfc-editor.org/rfc/rfc8259',
    rows: [
      {
        at: '§8.1',
        must: 'JSON is UTF-8: other bytes are refused.',
        request: create(Buffer.from(text.replace('Stay', 'Séjour'), 'latin1')),
        answer: { status: 400, body: { code: 'bad_request', detail: 'The body is not UTF-8.' } },
      },
      {
        at: '§8.1',
        may: 'A byte order mark is ignored.',
        request: create(`\ufeff${text}`),
        answer: made,
      },
      {
        at: '§8.1',
        must: 'An answer is UTF-8, without a byte order mark.',
        request: call(`GET ${account}/me`),
        answer: { status: 200, body: /^\{.*"Gîte des Érables"/ },
      },
      {
        at: '§8.1',
        must: 'Content-Type of JSON has no charset (§11).',
        request: call(`GET ${account}/me`),
        answer: { status: 200, headers: { 'content-type': 'application/json' } },
      },
      {
        at: '§4',
        should: 'Names in an object are unique: a repeated one is refused.',
        request: create(text.replace('{', '{"amount":1,')),
        answer: { status: 400, body: { code: 'bad_request', detail: 'A field of the body is repeated.' } },
      },
      {
        at: '§4',
        should: 'Names are compared without escapes (§8.3), at any depth.',
        request: create(text.replace('{"email"', '{"em\\u0061il":"a@example.com","email"')),
        answer: { status: 400, body: { code: 'bad_request', detail: 'A field of the body is repeated.' } },
      },
      {
        at: '§2',
        must: 'White space is allowed around each token.',
        request: create(`\r\n\t ${JSON.stringify(payment, null, '\t')}\n`),
        answer: made,
      },
      {
        at: '§2',
        must: 'A comma stands between values only.',
        request: create(text.replace('}', ',}')),
        answer: noJson,
      },
      { at: '§6', must: 'A number has no leading zero.', request: create('{"amount":01}'), answer: noJson },
      { at: '§6', must: 'A number has a digit before its point.', request: create('{"amount":.5}'), answer: noJson },
      { at: '§6', must: 'Infinity and NaN are no numbers.', request: create('{"amount":NaN}'), answer: noJson },
      {
        at: '§6',
        must: 'A number can have an exponent.',
        request: create(text.replace('120.5', '1.205e2')),
        answer: { status: 201, body: { amount: 120.5 } },
      },
      {
        at: '§7',
        must: 'Control characters in a string are escaped.',
        request: create('{"name":"a\u0001"}'),
        answer: noJson,
      },
    ],
  },
  {
    standard: 'RFC 7396',
    title: 'JSON Merge Patch',
    url: 'https://www.rfc-editor.org/rfc/rfc7396',
    rows: [
      {
        at: '§1',
        must: 'null removes a member; other members are added or replaced, also in objects; the rest stays.',
        request: creation,
        answer: { status: 201, body: { description: 'Sea', metadata: { a: '1', b: '2' } } },
        next: {
          request: change,
          answer: patched({
            description: undefined,
            name: payment.name,
            metadata: { a: undefined, b: '2', c: '3' },
          }),
        },
      },
      {
        at: '§2',
        must: 'A value that is no object replaces the whole.',
        request: patch('{"recipient":"x"}'),
        answer: wrong('/recipient'),
      },
      {
        at: '§2',
        must: 'null removes what is absent: nothing happens.',
        request: patch('{"description":null,"name":"Other"}'),
        answer: patched({ description: undefined, name: 'Other' }),
      },
      {
        at: '§2',
        must: 'A patch that is no object would replace the resource by it: it is refused.',
        request: patch('["name"]'),
        answer: wrong(''),
      },
      {
        at: '§3',
        must: 'A patch keeps the rules of the resource: an unknown member is refused.',
        request: patch('{"name":"Other","colour":"red"}'),
        answer: wrong('/colour'),
      },
      {
        at: '§4',
        must: 'The type is application/merge-patch+json.',
        request: patch('{"name":"Other"}'),
        answer: patched({ name: 'Other' }),
      },
      {
        at: '§4',
        may: 'application/json has the same meaning.',
        request: patch('{"name":"Other"}', 'application/json'),
        answer: patched({ name: 'Other' }),
      },
    ],
  },
  {
    standard: 'RFC 5789',
    title: 'PATCH',
    url: 'https://www.rfc-editor.org/rfc/rfc5789',
    rows: [
      {
        at: '§2',
        must: 'A patch is applied as a whole, or not at all.',
        request: patch('{"name":"Other","amount":-1}'),
        answer: wrong('/amount'),
        next: {
          request: call(`GET ${path}`),
          answer: { status: 200, headers: { etag: '"1"' }, body: { name: payment.name, amount: payment.amount } },
        },
      },
      {
        at: '§2.2',
        should: 'Another type of patch gets 415, and Accept-Patch names the accepted ones.',
        request: patch('[]', 'application/json-patch+json'),
        answer: {
          status: 415,
          headers: { 'accept-patch': 'application/json, application/merge-patch+json' },
        },
      },
      {
        at: '§2.2',
        should: 'A malformed patch gets 400.',
        request: patch('{"name"'),
        answer: noJson,
      },
    ],
  },
  {
    standard: 'RFC 6901',
    title: 'JSON Pointer',
    url: 'https://www.rfc-editor.org/rfc/rfc6901',
    rows: [
      {
        at: '§3',
        must: 'A pointer escapes ~ as ~0, and / as ~1.',
        request: create(text.replace('{', '{"a/b":1,"c~d":1,"~1":1,')),
        answer: wrong('/a~1b', '/c~0d', '/~01'),
      },
      {
        at: '§5',
        must: 'The whole document is the empty pointer.',
        request: create('[]'),
        answer: wrong(''),
      },
      {
        at: '§5',
        must: 'Each member on the way to a value has its part; an empty name has an empty one.',
        request: create(text.replace('{"email"', '{"":1,"email"')),
        answer: wrong('/recipient/'),
      },
      {
        at: '§4',
        must: 'Elements of an array are counted from 0.',
        request: call(
          `POST ${path}/give-evidence`,
          [],
          '{"processorReference":"d","evidence":[{"id":"1","kind":"photo"},{"id":2,"kind":"photo"}]}',
        ),
        answer: wrong('/evidence/1/id'),
      },
    ],
  },
];
