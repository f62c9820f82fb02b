import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { createEndpointReader } from '../../../src/webhooks/endpoints/endpoint-input.ts';
import { runs } from '../../support/runs.ts';

const reader = createEndpointReader(catalogue, {});
const sound = { url: 'https://partner.example/hooks', events: ['payed'] };
const created = (change: object) => reader.created({ ...sound, ...change });
/** What a field is told, by both readers alike. */
const told = (change: object): string => {
  const detail = created(change)._unsafeUnwrapErr().message;
  expect(reader.changed(change)._unsafeUnwrapErr().message).toBe(detail);
  return detail;
};
const taken = (change: object) => {
  const value = created(change)._unsafeUnwrap();
  expect(reader.changed(change)._unsafeUnwrap()).toMatchObject(change);
  return value;
};

test('golden: the stored endpoint of the smallest and of the full input', () => {
  const usual = { kind: 'push', standardWebhooks: false, includeChildren: false };
  expect(created({})._unsafeUnwrap()).toEqual({ ...sound, ...usual });
  const whole = {
    ...sound,
    kind: 'push',
    label: 'prod',
    deliveryHeader: { name: 'X-API-Key', value: 'k3y' },
    standardWebhooks: true,
    includeChildren: true,
  };
  expect(created(whole)._unsafeUnwrap()).toEqual(whole);
  expect(reader.changed({})._unsafeUnwrap()).toEqual({});
  expect(reader.changed({ label: null, deliveryHeader: null })._unsafeUnwrap()).toEqual({
    label: null,
    deliveryHeader: null,
  });
});

describe('url', () => {
  test.each([
    'https://partner.example',
    'HTTPS://Partner.Example/Hooks',
    'https://partner.example:8443/h?token=a%20b',
    'https://partner.example:443/',
    'https://partner.example/a/../b',
    'https://partner.example/a b?c="d"',
    'https://gîte.example/é',
    'https://203.0.113.7/h',
    'https://[2001:DB8::1]/h',
    `https://partner.example/${'a'.repeat(2_042 - 24)}é`,
    `https://partner.example/${'a'.repeat(2_048 - 24)}`,
  ])('%s is stored as it is', (url) => {
    expect(created({ url })._unsafeUnwrap().url).toBe(url);
    expect(reader.changed({ url })._unsafeUnwrap().url).toBe(url);
  });

  test.each(['  https://partner.example ', '\tHTTPS://partner.example\r\n', '\ufeffhttps://partner.example'])(
    'blanks around it are left out: %j',
    (url) => {
      expect(created({ url })._unsafeUnwrap().url).toBe(url.trim());
    },
  );

  test.each([
    ['http://partner.example/', 'url: must be HTTPS.'],
    ['ftp://partner.example/', 'url: must be HTTPS.'],
    ['javascript:alert(1)', 'url: must be HTTPS.'],
    ['file:///etc/passwd', 'url: must be HTTPS.'],
    ['', 'url: not a URL.'],
    ['partner.example/hooks', 'url: not a URL.'],
    ['//partner.example', 'url: not a URL.'],
    ['https://', 'url: not a URL.'],
    ['https://a b/', 'url: not a URL.'],
    ['https://user@partner.example/', 'url: must hold no user name or password; use the delivery header.'],
    ['https://user:SECRET@partner.example/', 'url: must hold no user name or password; use the delivery header.'],
    ['https://:SECRET@partner.example/', 'url: must hold no user name or password; use the delivery header.'],
    ['https://partner.example/#SECRET', 'url: must hold no fragment; it would never be sent.'],
    ['https://partner.example/#', 'url: must hold no fragment; it would never be sent.'],
    [`https://partner.example/${'a'.repeat(2_049 - 24)}`, 'url: at most 2048 characters, percent-encoded.'],
    [`https://partner.example/${'a'.repeat(2_044 - 24)}é`, 'url: at most 2048 characters, percent-encoded.'],
    ['https://partner.example/a\nb', 'url: must hold no control characters.'],
    ['https://partner.example/a\tb', 'url: must hold no control characters.'],
    ['https://partner.example/a\0b', 'url: must hold no control characters.'],
    ['https://partner.example/\ud83c', 'url: must hold no control characters.'],
    [`https://partner.example/${'é'.repeat(400)}`, 'url: at most 2048 characters, percent-encoded.'],
  ])('%j is refused', (url, detail) => {
    expect(told({ url })).toBe(detail);
  });

  test.each([7, null, {}, ['https://partner.example']])('%j is refused', (url) => {
    expect(told({ url })).toMatch(/^url: /);
  });

  test('ports can be limited', () => {
    const limited = createEndpointReader(catalogue, { ports: [443, 8443] });
    const detail = 'url: must use one of the ports 443, 8443.';
    expect(limited.created({ ...sound, url: 'https://x.example/' }).isOk()).toBe(true);
    expect(limited.created({ ...sound, url: 'https://x.example:443/' }).isOk()).toBe(true);
    expect(limited.changed({ url: 'https://x.example:8443/' }).isOk()).toBe(true);
    expect(limited.changed({ url: 'https://x.example:22/' })._unsafeUnwrapErr().message).toBe(detail);
    expect(
      createEndpointReader(catalogue, { ports: [8443] })
        .created(sound)
        ._unsafeUnwrapErr().message,
    ).toBe('url: must use one of the ports 8443.');
    expect(created({ url: 'https://x.example:22/' }).isOk()).toBe(true);
  });
});

describe('events', () => {
  test('any types of the catalogue, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...catalogue.eventSelectors), { minLength: 1, maxLength: 60 }), (events) => {
        expect(created({ events })._unsafeUnwrap().events).toEqual([...new Set(events)]);
      }),
      runs,
    );
  });

  const notSelectable = 'neither an event type of the catalogue nor a pair such as RequestPayment.payed';
  test.each([
    ['none', [], 'events: at least one event type.'],
    ['one that does not exist', ['payed', 'paid'], `events.1: ${notSelectable}; did you mean 'payed'?`],
    ['a misspelt pair', ['RequestPayment.paid'], `events.0: ${notSelectable}; did you mean 'RequestPayment.payed'?`],
    ['capitals', ['PAYED'], `events.0: ${notSelectable}; did you mean 'payed'?`],
    ['another word', ['shipped'], `events.0: ${notSelectable}.`],
    ['a pair of the prototype', ['constructor.name'], `events.0: ${notSelectable}.`],
    ['a prototype name', ['constructor'], `events.0: ${notSelectable}.`],
    ['a number', [7], `events.0: ${notSelectable}.`],
  ])('%s: refused', (_name, events, detail) => {
    expect(told({ events })).toBe(detail);
  });

  test.each(['payed', null, {}])('%j is no list', (events) => {
    expect(told({ events })).toMatch(/^events: /);
  });
});

describe('deliveryHeader', () => {
  const detailOf = (header: unknown, value: unknown = 'v') => told({ deliveryHeader: { name: header, value } });

  test.each([
    'X-API-Key',
    'Authorization',
    'authorization',
    'x',
    "!#$%&'*+.^_`|~-",
    'a'.repeat(64),
    'X-Webhook-Signature-2',
    'X-Host',
    'Cookie',
    'X_API_Key',
  ])('the header %s is taken', (header) => {
    expect(taken({ deliveryHeader: { name: header, value: 'v' } }).deliveryHeader).toEqual({
      name: header,
      value: 'v',
    });
  });

  test.each(
    [
      'Host',
      'Content-Type',
      'content-length',
      'CONTENT-ENCODING',
      'Content-',
      'Transfer-Encoding',
      'Connection',
    ].concat(
      ['X-WEBHOOK-SIGNATURE', 'x-webhook-signature', 'webhook-id', 'Webhook-Anything', 'Expect', 'Keep-Alive', 'TE'],
      ['Trailer', 'Upgrade', 'Proxy-Authorization'],
      // To CGI, WSGI and Rack these are the same.
      ['X_WEBHOOK_SIGNATURE', 'X-Webhook_Signature', 'Content_Length', 'webhook_id', 'transfer_encoding', 'keep_alive'],
    ),
  )('the header %s is reserved', (header) => {
    expect(detailOf(header)).toBe('deliveryHeader.name: this header name is reserved.');
  });

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'é', 'a'.repeat(65), '(x)', 'a\u0000'])(
    'the header %j is no name',
    (header) => {
      expect(detailOf(header)).toContain('deliveryHeader.name: a header name of 1 to 64 letters, digits and -.');
    },
  );

  test.each(['v', '!', '~', 'Bearer abc.def', 'a b c', '"\\', 'x'.repeat(1_024)])('the value %j is taken', (value) => {
    expect(taken({ deliveryHeader: { name: 'X-API-Key', value } }).deliveryHeader?.value).toBe(value);
  });

  test.each([
    '',
    ' ',
    ' SECRET',
    'SECRET ',
    'SECRET\n',
    'a\r\nX: SECRET',
    'SECRETé',
    'a\u0000b',
    '\t',
    'x'.repeat(1_025),
    '\u007f',
  ])('the value %j is refused, and not quoted', (value) => {
    expect(detailOf('X-API-Key', value)).toBe('deliveryHeader.value: 1 to 1024 visible ASCII characters.');
  });

  test('only a value of 1 to 1024 visible ASCII characters is accepted', () => {
    const char = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    const ascii = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: ascii, maxLength: 12 }), fc.string({ unit: char, maxLength: 12 })),
        (value) => {
          const visible = [...value].every((each) => each >= ' ' && each <= '~');
          const expected = visible && value.length >= 1 && value === value.trim();
          expect(created({ deliveryHeader: { name: 'x', value } }).isOk()).toBe(expected);
        },
      ),
      runs,
    );
  });

  test.each([7, 'X-API-Key', {}, { name: 'x' }, { value: 'SECRET' }, { name: 'x', value: 7 }])(
    '%j is no API key',
    (deliveryHeader) => {
      expect(told({ deliveryHeader })).toMatch(/deliveryHeader/);
      expect(told({ deliveryHeader })).not.toContain('SECRET');
    },
  );
});

describe('label', () => {
  test.each(['prod', 'é'.repeat(128), 'a b'])('%j is taken', (label) => {
    expect(taken({ label }).label).toBe(label);
  });
  test.each(['', 'é'.repeat(129), 'a\nb', '\ud800'])('%j is refused', (label) => {
    expect(told({ label })).toBe('label: 1 to 256 bytes of text without control characters.');
  });
});

describe('the whole', () => {
  test.each([
    ['secret', { secret: 'SECRET' }],
    ['state', { state: 'enabled' }],
    ['accountId', { accountId: 'acc_b' }],
    ['id', { id: 'x' }],
    ['version', { version: 7 }],
  ])('a field that is none is refused, not ignored: %s', (name, change) => {
    const detail = told(change);
    expect(detail).toBe(`${name}: no such field.`);
  });

  test.each([undefined, null, 'SECRET', 7, []])('%j is no input', (input) => {
    for (const read of [reader.created, reader.changed]) {
      const { code, message: detail } = read(input)._unsafeUnwrapErr();
      expect(code).toBe('invalid_input');
      expect(detail).toMatch(/^input: /);
      expect(detail).not.toContain('SECRET');
    }
  });

  test('each wrong field is named', () => {
    expect(created({ url: 'http://x', events: [], label: '' })._unsafeUnwrapErr().message).toBe(
      'url: must be HTTPS. events: at least one event type. label: 1 to 256 bytes of text without control characters.',
    );
    expect(reader.created({})._unsafeUnwrapErr().message).toMatch(/events: .*url: /);
  });

  test('no detail quotes a value', () => {
    const secret = 'SECRET4f3a';
    const value = fc.oneof(
      fc.constant(secret),
      fc.constant(`https://${secret}@x`),
      fc.constant([secret]),
      fc.constant({ name: secret, value: `${secret}\n` }),
      fc.constant({ name: `${secret} `, value: secret }),
      fc.anything(),
    );
    const input = fc.record({
      url: value,
      events: value,
      label: value,
      deliveryHeader: value,
      standardWebhooks: value,
      includeChildren: value,
    });
    fc.assert(
      fc.property(input, (fields) => {
        for (const read of [reader.created, reader.changed]) {
          const result = read(fields);
          if (result.isErr()) expect(result.error.message).not.toContain(secret);
        }
      }),
      runs,
    );
  });
});

describe('HTTP to this machine', () => {
  const isDevelopment = true;
  const canReach = () => true;
  const developing = createEndpointReader(catalogue, { isDevelopment, canReach });
  const given = (url: string) => ({ url, events: ['payed'] });

  test.each([
    'http://localhost:3001/webhooks',
    'http://127.0.0.1/',
    'http://127.255.0.1:8080/',
    'http://[::1]:3001/',
    'HTTP://LOCALHOST/',
  ])('%s is accepted in development only', (url) => {
    expect(developing.created(given(url))._unsafeUnwrap().url).toBe(url);
    expect(reader.created(given(url))._unsafeUnwrapErr().message).toBe(
      'url: must be HTTPS. The sender\'s option "development" opens HTTP to this machine.',
    );
    const unreached = createEndpointReader(catalogue, { isDevelopment, canReach: () => false });
    expect(unreached.created(given(url))._unsafeUnwrapErr().message).toContain('this address is not public');
  });

  test.each([
    'http://partner.example/',
    'http://8.8.8.8/',
    'http://10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://app.localhost/',
    'http://localhost.partner.example/',
    'http://127.0.0.1.partner.example/',
    'http://0.0.0.0/',
    'ws://localhost/',
  ])('%s is refused in development, too', (url) => {
    expect(developing.created(given(url))._unsafeUnwrapErr().message).toBe('url: must be HTTPS.');
  });

  test('its port is 80 unless given, where ports are limited', () => {
    const on = (...ports: number[]) => createEndpointReader(catalogue, { isDevelopment, canReach, ports });
    expect(on(80).created(given('http://localhost/')).isOk()).toBe(true);
    expect(on(443).created(given('http://localhost/')).isOk()).toBe(false);
  });
});
