import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { gzipSync } from 'node:zlib';
import { payment } from '../../requests/client.ts';
import { account, call, type StandardsGroup, type StandardsLaw } from '../row.ts';

const collection = `POST ${account}/payment-requests`;
const text = JSON.stringify(payment);
const made = { status: 201, body: { name: payment.name } };
const unsupported = {
  status: 415,
  headers: { accept: 'application/json' },
  body: { status: 415, code: 'unsupported_media_type' },
};
const typed = (type: string) => call(collection, [`Content-Type: ${type}`], text);

type Content = Readonly<Record<string, unknown>>;

const accept: StandardsLaw = {
  at: '§15.5.16',
  should: 'A 415 lists the accepted types in Accept; to PATCH also in Accept-Patch (RFC 5789 §2.2).',
  requests: 'each operation with a JSON body, sent as `text/plain`',
  answers: '415; the lists have the media types of the document',
  check: async ({ platform, send }) => {
    let sent = 0;
    for (const [template, methods] of Object.entries(platform.document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const { requestBody } = operation as { readonly requestBody?: { readonly content: Content } };
        if (!requestBody || template.endsWith('/login')) continue;
        const wanted = Object.keys(requestBody.content);
        const line = `${method.toUpperCase()} ${await platform.pathOf(template)}`;
        const { status, headers } = await send(call(line, ['Content-Type: text/plain'], '{}'));
        strictEqual(status, 415, line);
        deepStrictEqual(headers['accept']?.split(', '), wanted, line);
        deepStrictEqual(headers['accept-patch']?.split(', '), method === 'patch' ? wanted : undefined, line);
        sent++;
      }
    ok(sent > 20, `${sent} operations`);
  },
};

/** Types and codings of content. */
export const contentRows: StandardsGroup['rows'] = [
  accept,
  {
    at: '§15.5.16',
    must: 'A type that the method does not have is not accepted: a merge patch is for PATCH.',
    request: typed('application/merge-patch+json'),
    answer: unsupported,
  },
  {
    at: '§8.3.1',
    must: 'Types, names of parameters and the charset are case-insensitive.',
    request: typed('Application/JSON; Charset=UTF-8'),
    answer: made,
  },
  {
    at: '§8.3.1',
    must: 'White space is allowed around the semicolon, and the value can be quoted.',
    request: typed('application/json \t;\t charset="utf-8"'),
    answer: made,
  },
  {
    at: '§5.6.6',
    must: 'A quoted value of a parameter can contain a semicolon.',
    request: typed('application/json; profile="a;charset=latin1"'),
    answer: made,
  },
  {
    at: '§5.6.4',
    must: 'A backslash in a quoted value stands before a character as it is.',
    request: typed('application/json; charset="utf\\-8"'),
    answer: made,
  },
  {
    at: '§8.3',
    may: 'Content without a type is not guessed.',
    request: call(collection, ['Content-Type:'], text),
    answer: unsupported,
  },
  {
    at: '§8.3',
    must: 'A message has one Content-Type.',
    request: call(collection, ['Content-Type: application/json', 'Content-Type: text/plain'], text),
    answer: unsupported,
  },
  {
    at: '§8.4',
    may: 'An unknown coding gets 415, and Accept-Encoding names what is accepted (§12.5.3).',
    request: call(collection, ['Content-Encoding: gzip'], gzipSync(text)),
    answer: { status: 415, headers: { 'accept-encoding': 'identity' } },
  },
  {
    at: '§8.4.1',
    must: 'Names of codings are case-insensitive.',
    request: call(collection, ['Content-Encoding: Identity'], text),
    answer: made,
  },
  {
    at: '§12.5.1',
    may: 'Accept is no reason to refuse.',
    request: call(`GET ${account}/me`, ['Accept: text/html;q=0.1, application/json;q=0']),
    answer: { status: 200, headers: { 'content-type': 'application/json' } },
  },
  {
    at: '§12.5.5',
    should: 'An answer that no header of the request selects has no Vary.',
    request: call(`GET ${account}/me`, ['Accept: text/html', 'Accept-Language: fr']),
    answer: { status: 200, headers: { vary: null } },
  },
  {
    at: '§15.5.14',
    must: 'Content that is too large gets 413.',
    request: call(collection, [], `{"name":"${'x'.repeat(70_000)}"}`),
    answer: { status: 413, body: { status: 413, code: 'too_large' } },
  },
];
