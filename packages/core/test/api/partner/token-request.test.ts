import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenRequestReader } from '../../../src/api/partner/token-request.ts';
import type { HttpHeaders, RequestBody } from '../../../src/base/http/route.ts';
import { request } from '../../support/http.ts';
import { runs } from '../../support/runs.ts';

const fields = { client_id: 'id', client_secret: 'secret', grant_type: 'client_credentials', scope: 'USER' };
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const parse = (
  body: RequestBody | string,
  headers: HttpHeaders = json,
  defaultScope?: string,
  accepted: readonly string[] = [],
) =>
  tokenRequestReader({ default: defaultScope, accepted, rights: ['requests:read', 'requests:write'] }).read(
    request('POST', '/login', { headers, body }),
  );
const detail = (body: RequestBody | string, headers: HttpHeaders = json) => {
  const failure = parse(body, headers)._unsafeUnwrapErr();
  return 'detail' in failure
    ? [failure.code, failure.detail, 'status' in failure ? failure.status : undefined]
    : failure;
};

const expected = { clientId: 'id', clientSecret: 'secret', scope: 'USER', isScopeOther: false };

describe('reads', () => {
  const old = ['payments.read', 'a+b'];
  test.each([['payments.read'], ['USER'], ['a+b payments.read'], ['USER a+b']])(
    'the scope %j of an earlier API',
    (scope) => {
      const read = parse(JSON.stringify({ ...fields, scope }), json, undefined, old);
      expect(read._unsafeUnwrap()).toEqual({ ...expected, isScopeOther: scope !== 'USER' });
    },
  );

  test.each(['payments', 'payments.read ', 'paymentsxread', 'aab', 'payments.read,a+b', 'user'])(
    'no scope %j that is not named',
    (scope) => {
      const refused = parse(JSON.stringify({ ...fields, scope }), json, undefined, old)._unsafeUnwrapErr();
      expect(refused).toEqual({
        code: 'invalid_scope',
        detail: 'scope must be USER, or rights such as requests:read.',
      });
    },
  );

  test.each([
    ['JSON', JSON.stringify(fields), json],
    ['JSON with a charset', JSON.stringify(fields), { 'content-type': 'Application/JSON; Charset="UTF-8"' }],
    ['JSON with a byte order mark', `\ufeff${JSON.stringify(fields)}`, json],
    ['JSON in white space', `\r\n${JSON.stringify(fields, null, 2)}\n`, json],
    ['JSON with unknown parameters', JSON.stringify({ ...fields, audience: 'x', deep: { client_id: 1 } }), json],
    ['a header that came as a list of one', JSON.stringify(fields), { 'content-type': ['application/json'] }],
    ['identity as Content-Encoding', JSON.stringify(fields), { ...json, 'content-encoding': 'identity' }],
    ['a form', new URLSearchParams(fields).toString(), form],
    ['a form with unknown parameters', `${new URLSearchParams(fields)}&x=1`, form],
    ['what the host’s parser made', { parsed: fields }, {}],
  ] as const)('%s', (_name, body, headers) => {
    expect(parse(body, headers)._unsafeUnwrap()).toEqual(expected);
  });

  test('HTTP Basic beside a form, beside JSON, or with the same client_id again', () => {
    const headers = { authorization: basic('id', 'secret') };
    const rest = { grant_type: 'client_credentials', scope: 'USER' };
    const answer = expected;
    expect(parse(new URLSearchParams(rest).toString(), { ...form, ...headers })._unsafeUnwrap()).toEqual(answer);
    expect(parse(JSON.stringify(rest), { ...json, ...headers })._unsafeUnwrap()).toEqual(answer);
    expect(parse(JSON.stringify({ ...rest, client_id: 'id' }), { ...json, ...headers })._unsafeUnwrap()).toEqual(
      answer,
    );
    expect(parse(JSON.stringify({ ...rest, client_secret: '' }), { ...json, ...headers })._unsafeUnwrap()).toEqual(
      answer,
    );
  });

  test('any id and secret, in each of the three ways', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    // application/x-www-form-urlencoded, as RFC 6749 §2.3.1 wants it in both halves.
    const encoded = (value: string) => new URLSearchParams({ v: value }).toString().slice(2);
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const asked = { ...fields, client_id: clientId, client_secret: clientSecret };
        const rest = 'grant_type=client_credentials&scope=USER';
        const headers = { ...form, authorization: basic(encoded(clientId), encoded(clientSecret)) };
        for (const result of [
          parse(JSON.stringify(asked)),
          parse(new URLSearchParams(asked).toString(), form),
          parse(rest, headers),
        ]) {
          expect(result._unsafeUnwrap()).toMatchObject({ clientId, clientSecret, scope: 'USER' });
        }
      }),
      runs,
    );
  });
});

describe('scope', () => {
  const { scope: _scope, ...scopeless } = fields;
  test.each([
    ['absent', scopeless],
    ['empty', { ...fields, scope: '' }],
    ['another', { ...fields, scope: 'ADMIN' }],
    ['in another case', { ...fields, scope: 'user' }],
    ['with a second', { ...fields, scope: 'USER ADMIN' }],
    ['with a blank', { ...fields, scope: 'USER ' }],
  ])('%s: invalid_scope', (_name, body) => {
    expect(detail(JSON.stringify(body))).toEqual([
      'invalid_scope',
      'scope must be USER, or rights such as requests:read.',
      undefined,
    ]);
  });

  test('absent or empty, with a default: granted, and repeated in the response', () => {
    for (const body of [scopeless, { ...fields, scope: '' }]) {
      expect(parse(JSON.stringify(body), json, 'USER')._unsafeUnwrap()).toMatchObject({
        scope: 'USER',
        isScopeOther: true,
      });
    }
    expect(parse(JSON.stringify(fields), json, 'USER')._unsafeUnwrap().isScopeOther).toBe(false);
    expect(parse(JSON.stringify({ ...fields, scope: 'ADMIN' }), json, 'USER')._unsafeUnwrapErr().code).toBe(
      'invalid_scope',
    );
  });
});

describe('refuses', () => {
  const strings = 'The parameters are strings in one JSON object or form.';
  const unsupported = 'Send the parameters as application/json or application/x-www-form-urlencoded.';
  const hint = ' The body looks like JSON: send it with Content-Type: application/json.';
  test.each([
    [
      'a missing grant_type',
      { ...fields, grant_type: undefined },
      ['invalid_request', 'grant_type is missing.', undefined],
    ],
    ['an empty grant_type', { ...fields, grant_type: '' }, ['invalid_request', 'grant_type is missing.', undefined]],
    [
      'another grant_type',
      { ...fields, grant_type: 'password' },
      ['unsupported_grant_type', 'grant_type must be client_credentials.', undefined],
    ],
    [
      'a missing client_id',
      { ...fields, client_id: undefined },
      ['invalid_request', 'client_id is missing.', undefined],
    ],
    ['an empty client_id', { ...fields, client_id: '' }, ['invalid_request', 'client_id is missing.', undefined]],
    [
      'a missing client_secret',
      { ...fields, client_secret: undefined },
      ['invalid_request', 'client_secret is missing.', undefined],
    ],
    [
      'an empty client_secret',
      { ...fields, client_secret: '' },
      ['invalid_request', 'client_secret is missing.', undefined],
    ],
    ['a client_id that is a number', { ...fields, client_id: 7 }, ['invalid_request', strings, undefined]],
    ['a client_id that is a list', { ...fields, client_id: ['id'] }, ['invalid_request', strings, undefined]],
    ['a client_id that is null', { ...fields, client_id: null }, ['invalid_request', strings, undefined]],
    ['a client_secret that is an object', { ...fields, client_secret: {} }, ['invalid_request', strings, undefined]],
    ['a list', [fields], ['invalid_request', strings, undefined]],
    ['a text', 'x', ['invalid_request', strings, undefined]],
    ['null', null, ['invalid_request', strings, undefined]],
  ])('%s', (_name, body, expected) => {
    expect(detail(JSON.stringify(body))).toEqual(expected);
    expect(detail({ parsed: body })).toEqual(expected);
  });

  test.each([
    ['no body', '', json, 'The body is not valid JSON.', undefined],
    ['broken JSON', '{"client_id":', json, 'The body is not valid JSON.', undefined],
    ['JSON with a comment', '{/**/}', json, 'The body is not valid JSON.', undefined],
    ['a body that is not UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d]), json, 'The body is not UTF-8.', undefined],
    ['no content type', JSON.stringify(fields), {}, unsupported + hint, 415],
    ['a text', JSON.stringify(fields), { 'content-type': 'text/plain' }, unsupported + hint, 415],
    ['a multipart form', '', { 'content-type': 'multipart/form-data; boundary=x' }, unsupported, 415],
    [
      'a content type that begins alike',
      JSON.stringify(fields),
      { 'content-type': 'application/jsonp' },
      unsupported + hint,
      415,
    ],
    [
      'two content types',
      JSON.stringify(fields),
      { 'content-type': ['application/json', 'text/plain'] },
      unsupported + hint,
      415,
    ],
    [
      'another charset',
      JSON.stringify(fields),
      { 'content-type': 'application/json; charset=utf-16' },
      'Send the body in UTF-8.',
      415,
    ],
    [
      'Latin-1',
      'client_id=x',
      { 'content-type': `${form['content-type']};charset=iso-8859-1` },
      'Send the body in UTF-8.',
      415,
    ],
    [
      'a compressed body',
      JSON.stringify(fields),
      { ...json, 'content-encoding': 'gzip' },
      'Send the body without Content-Encoding.',
      415,
    ],
    ['a body over the limit', { tooLarge: true } as const, json, 'The body is larger than 8 KiB.', 413],
    ['an empty form', '', form, 'grant_type is missing.', undefined],
    ['JSON that is called a form', JSON.stringify(fields), form, `grant_type is missing.${hint}`, undefined],
    ['JSON after a blank line, called a form', '\n [1]', form, `grant_type is missing.${hint}`, undefined],
    ['a text that is no JSON', 'x={', { 'content-type': 'text/plain' }, unsupported, 415],
    [
      'a body that broke off',
      { aborted: true } as const,
      json,
      'The connection closed before the whole body had come.',
      undefined,
    ],
  ] as const)('%s', (_name, body, headers, message, status) => {
    expect(detail(body, headers)).toEqual(['invalid_request', message, status]);
  });

  test.each([
    ['twice in JSON', '{"client_id":"a","client_id":"b","client_secret":"s"}'],
    ['twice with one value', '{"client_id":"a","client_id":"a"}'],
    ['once escaped', '{"client_id":"a","client\\u005fid":"b"}'],
    ['twice escaped', '{"\\u0063lient_id":"a","client\\u005fid":"b"}'],
    ['in white space', '{"client_id" : "a" ,\n"client_id"\t:"b"}'],
    ['an unknown one', '{"x":1,"x":2}'],
    ['deeper', '{"a":{"x":1,"x":2}}'],
    ['in a list', '[{"x":1,"x":2}]'],
    ['__proto__', '{"__proto__":1,"__proto__":2}'],
    ['the empty one', '{"":1,"":2}'],
  ])('a repeated parameter: %s', (_name, body) => {
    expect(detail(body)).toEqual(['invalid_request', 'A parameter is repeated.', undefined]);
  });

  test.each(['client_id=a&client_id=b', 'client_id=a&client_id=a', 'client_id=a&client%5Fid=b', 'x=1&x=2', '=1&=2'])(
    'a repeated parameter of a form: %s',
    (body) => {
      expect(detail(body, form)).toEqual(['invalid_request', 'A parameter is repeated.', undefined]);
    },
  );

  test.each([
    '{"a":"\\":","b":"{\\"a\\":1}"}',
    '{"a":"a\\":","b":["a\\":", "b"]}',
    '{"a:":":","b":{"a:":1},"c":[{"a:":1},{"a:":2}]}',
  ])('colons and quotes in values repeat nothing: %s', (body) => {
    expect(detail(body)).toEqual(['invalid_request', 'grant_type is missing.', undefined]);
  });

  test('a repeated key is detected in any JSON, and only there', () => {
    // Not a lone backslash: Node.js 24 reads the key "\"" as "\\" once it has seen an object with both (a bug of V8).
    const key = fc.constantFrom('a', 'b', '"', 'b\\', ':', 'é', '', '__proto__', 'a":');
    // Written by hand, because JSON.stringify cannot repeat a key.
    const value: fc.Arbitrary<{ text: string; repeats: boolean }> = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc
          .oneof(fc.string({ unit: fc.constantFrom('"', ':', '\\', 'a', '{') }), fc.integer(), fc.constant(null))
          .map((scalar) => ({
            text: JSON.stringify(scalar),
            repeats: false,
          })),
        fc.array(tie('any') as typeof value, { maxLength: 3 }).map((items) => ({
          text: `[${items.map(({ text }) => text).join(' , ')}]`,
          repeats: items.some(({ repeats }) => repeats),
        })),
        fc.array(fc.tuple(key, tie('any') as typeof value), { maxLength: 3 }).map((entries) => ({
          text: `{${entries.map(([name, { text }]) => `${JSON.stringify(name)} :${text}`).join(',')}}`,
          repeats:
            entries.some(([, { repeats }]) => repeats) || new Set(entries.map(([name]) => name)).size < entries.length,
        })),
      ),
    })).any as typeof value;
    fc.assert(
      fc.property(value, ({ text, repeats }) => {
        const failure = parse(text)._unsafeUnwrapErr();
        expect('detail' in failure && failure.detail === 'A parameter is repeated.').toBe(repeats);
      }),
      runs,
    );
  });

  test.each([
    ['brackets', '['.repeat(8_192)],
    ['brackets that close', '['.repeat(4_096) + ']'.repeat(4_096)],
    ['objects', `${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`],
    ['a client_id of brackets', `{"client_id":${'['.repeat(4_000)}${']'.repeat(4_000)}}`],
    ['quotes', '"'.repeat(8_192)],
    ['backslashes', `"${'\\'.repeat(8_190)}"`],
  ])('8 KiB of nested %s, without falling over', (_name, body) => {
    expect(body.length).toBeLessThanOrEqual(8_192);
    expect(parse(body)._unsafeUnwrapErr().code).toBe('invalid_request');
  });

  describe('HTTP Basic', () => {
    const rest = JSON.stringify({ grant_type: 'client_credentials', scope: 'USER' });
    test.each(['Bearer abc', 'Token x', 'aWQ6c2VjcmV0', ''])(
      'another scheme is not for this path: %j',
      (authorization) => {
        expect(detail(rest, { ...json, authorization })).toEqual([
          'invalid_request',
          'client_id is missing.',
          undefined,
        ]);
        expect(parse(JSON.stringify(fields), { ...json, authorization })._unsafeUnwrap()).toEqual(expected);
      },
    );

    test.each([
      ['the scheme alone', 'Basic'],
      ['what is not Base64', 'Basic !!!'],
      ['what Base64 cannot end with', 'Basic A'],
      ['no colon', `Basic ${Buffer.from('idsecret').toString('base64')}`],
      ['no id', basic('', 'secret')],
      ['bytes that are not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`],
    ])('%s: credentials that are wrong, and were tried (RFC 6749 §5.2)', (_name, authorization) => {
      expect(parse(rest, { ...json, authorization })._unsafeUnwrapErr()).toEqual({
        code: 'invalid_client',
      });
    });

    test.each([
      ['a percent sign that encodes nothing', '100%', 'secret', { clientId: '100%', clientSecret: 'secret' }],
      ['an encoding that is not UTF-8', '%ff', 'secret', { clientId: '%ff', clientSecret: 'secret' }],
      [
        'a secret that decoding changes',
        'id',
        'a+b/c%41==',
        { clientId: 'id', clientSecret: 'a b/cA==', literal: { clientId: 'id', clientSecret: 'a+b/c%41==' } },
      ],
      [
        'an id that decoding changes',
        'a+b',
        's',
        { clientId: 'a b', clientSecret: 's', literal: { clientId: 'a+b', clientSecret: 's' } },
      ],
      ['what decoding leaves', 'id', 'a/b==', { clientId: 'id', clientSecret: 'a/b==' }],
    ])('%s: as old clients send it, too (RFC 7617)', (_name, id, secret, expected) => {
      const read = parse(rest, { ...json, authorization: basic(id, secret) })._unsafeUnwrap();
      expect(read).toEqual({ ...expected, scope: 'USER', isScopeOther: false });
    });

    test.each(['a b', 'a+b'])('client_id %j beside it may be either form', (client_id) => {
      const fields = JSON.stringify({ ...JSON.parse(rest), client_id });
      expect(parse(fields, { ...json, authorization: basic('a+b', 's') }).isOk()).toBe(true);
    });

    test('two headers', () => {
      const authorization = [basic('id', 'secret'), basic('id', 'secret')];
      expect(detail(rest, { ...json, authorization })).toEqual([
        'invalid_request',
        'Send one Authorization header, or none.',
        undefined,
      ]);
    });

    test('the scheme in any case, and a secret with a colon', () => {
      const authorization = basic('id', 'a:b').replace('Basic', 'bASIC ');
      expect(parse(rest, { ...json, authorization })._unsafeUnwrap()).toMatchObject({
        clientId: 'id',
        clientSecret: 'a:b',
      });
    });

    test('and a secret in the body: two mechanisms', () => {
      for (const authorization of [basic('id', 'secret'), basic('id', '')]) {
        expect(detail(JSON.stringify(fields), { ...json, authorization })).toEqual([
          'invalid_request',
          'Credentials came in the body and by HTTP Basic; use one of them.',
          undefined,
        ]);
      }
    });

    test('and another client_id in the body', () => {
      const { client_secret: _secret, ...other } = fields;
      expect(detail(JSON.stringify(other), { ...json, authorization: basic('ID', 'secret') })).toEqual([
        'invalid_request',
        'client_id differs from the one sent by HTTP Basic.',
        undefined,
      ]);
    });
  });

  test('any request gives a result or a failure, never a throw, and quotes no input', () => {
    const secret = 'SECRET4f3a';
    const body = fc.oneof(fc.json(), fc.string(), fc.constant(`{"client_secret":"${secret}`), fc.webQueryParameters());
    const type = fc.constantFrom(json['content-type'], form['content-type'], 'text/plain');
    const authorization = fc.option(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Basic ${btoa(encodeURIComponent(text))}`),
      ),
      {
        nil: undefined,
      },
    );
    fc.assert(
      fc.property(body, type, authorization, (text, contentType, header) => {
        const result = parse(text, { 'content-type': contentType, authorization: header });
        if (result.isErr()) expect(JSON.stringify(result.error)).not.toContain(secret);
      }),
      runs,
    );
  });
});
