import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisEnd } from '../../src/element/parts/chart.ts';
import { LiveList } from '../../src/element/parts/live-list.ts';
import { fieldsOf } from '../../src/element/screens/events.ts';
import { loginCommand } from '../../src/element/screens/home.ts';
import { canLogIn, endsSoon, isActive, lastUse } from '../../src/element/secrets.ts';
import { curlCommand, formatted, sentRequest } from '../../src/element/sent-request.ts';
import { barsOf, failureOfEndpoint, failuresOf, slowestOf, totalOf } from '../../src/element/statistics.ts';

describe('a chart', () => {
  it('has an axis that ends at a round number, above every bar and not far', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 10_000_000 }), (most) => {
        const end = axisEnd(most);
        expect(end).toBeGreaterThanOrEqual(most);
        expect(end).toBeLessThanOrEqual(most * 2.5);
        expect(String(end)).toMatch(/^[125]0*$/);
      }),
    );
    expect([0, 1, 2].map(axisEnd)).toEqual([2, 2, 2]);
  });
});

describe('the figures of webhooks', () => {
  const none = { clientError: 0, serverError: 0, otherStatus: 0, timeout: 0, connection: 0, tls: 0, platform: 0 };
  const figures = (fields: object) =>
    ({ buckets: [], total: { delivered: 0, failed: none }, waiting: 0, held: 0, isComplete: true, ...fields }) as never;

  it('lose no attempt when webhooks are added', () => {
    const bucket = fc.record({
      at: fc.integer({ min: 0, max: 24 }).map((hour) => hour * 3_600),
      delivered: fc.nat(9),
      failed: fc.record({ serverError: fc.nat(9), timeout: fc.nat(9) }).map((some) => ({ ...none, ...some })),
    });
    fc.assert(
      fc.property(fc.array(fc.array(bucket), { maxLength: 3 }), (all) => {
        const bars = barsOf(all.map((buckets) => figures({ buckets })));
        const flat = all.flat();
        const sum = (of: (each: (typeof flat)[number]) => number): number =>
          flat.reduce((total, each) => total + of(each), 0);
        expect(bars.reduce((total, each) => total + each.succeeded, 0)).toBe(sum(({ delivered }) => delivered));
        expect(bars.reduce((total, each) => total + each.failed, 0)).toBe(
          sum(({ failed }) => failed.serverError + failed.timeout),
        );
        expect(bars.map(({ at }) => at)).toEqual([...new Set(flat.map(({ at }) => at))].sort((a, b) => a - b));
      }),
    );
  });

  it('have a share only if something was sent', () => {
    expect(totalOf([figures({})]).share).toBeUndefined();
    const some = figures({ total: { delivered: 3, failed: { ...none, timeout: 1 } } });
    expect(totalOf([some, some])).toEqual({ succeeded: 6, failed: 2, share: 0.75 });
  });

  it('name the kinds of failures that happened, the most frequent first', () => {
    const total = { delivered: 0, failed: { ...none, timeout: 2, serverError: 5 } };
    expect(failuresOf(figures({ total }))).toEqual([
      ['serverError', 5],
      ['timeout', 2],
    ]);
  });

  it('name the webhook whose slowest answers take longest', () => {
    const [fast, slow, silent] = [
      figures({ endpointId: 'fast', durations: { medianMs: 90, p90Ms: 100 } }),
      figures({ endpointId: 'slow', durations: { medianMs: 10, p90Ms: 200 } }),
      figures({ endpointId: 'silent' }),
    ];
    expect(slowestOf([fast, slow, silent])?.endpointId).toBe('slow');
    expect(slowestOf([silent])).toBeUndefined();
  });

  it.each([
    ['failing', undefined, 500, true],
    ['paused', undefined, 500, true],
    ['disabled', 'failing', 500, true],
    ['disabled', 'gone', 410, true],
    ['disabled', 'partner', 500, false],
    ['delivering', undefined, 500, false],
    ['failing', undefined, 204, false],
  ])('say why a webhook that is %s (%s) failed, after an answer of %i: %s', (status, disabledBy, answer, isSaid) => {
    const endpoint = { health: { status, failures: 1, ...(disabledBy ? { disabledBy } : {}) } } as never;
    const last = { kind: 'answered', status: answer, body: '', at: 1, durationMs: 1, deliveryId: 'd' };
    expect(failureOfEndpoint(endpoint, figures({ last }))).toEqual(isSaid ? last : undefined);
    expect(failureOfEndpoint(endpoint, undefined)).toBeUndefined();
  });
});

describe('a live list', () => {
  const items = (...ids: readonly string[]) => ids.map((id) => ({ id }));
  const make = (isInUse: boolean) => {
    const list = {
      getRootNode: () => ({ activeElement: null }),
      matches: () => isInUse,
      contains: () => false,
      getBoundingClientRect: () => ({ top: 10 }),
    };
    const host = { addController: () => undefined, querySelector: () => list };
    return new LiveList<{ readonly id: string }>(host as never, ({ id }) => id);
  };

  it('holds new items back while a person uses it', () => {
    const list = make(true);
    expect(list.split(items('b', 'a'))).toEqual({ shown: items('b', 'a'), waiting: 0 });
    expect(list.split(items('d', 'c', 'b', 'a'))).toEqual({ shown: items('b', 'a'), waiting: 2 });
    list.release();
    expect(list.split(items('d', 'c', 'b', 'a'))).toEqual({ shown: items('d', 'c', 'b', 'a'), waiting: 0 });
  });

  it('shows them at once when nobody does, or when nothing of the former page is left', () => {
    const idle = make(false);
    idle.split(items('a'));
    expect(idle.split(items('b', 'a')).waiting).toBe(0);
    const used = make(true);
    used.split(items('a'));
    expect(used.split(items('c', 'b'))).toEqual({ shown: items('c', 'b'), waiting: 0 });
  });
});

describe('the secrets of a key', () => {
  const secret = (fields: object) => ({ id: 's', createdAt: 0, revoked: false, ...fields });
  const key = (...secrets: readonly object[]) => ({
    id: 'k',
    name: 'Key',
    createdAt: 0,
    disabled: false,
    secrets: secrets.map(secret),
  });
  const day = 86_400;

  it('are active until they end or are revoked', () => {
    expect(
      [{}, { expiresAt: 101 }, { expiresAt: 100 }, { revoked: true }].map((each) => isActive(secret(each), 100)),
    ).toEqual([true, true, false, false]);
  });

  it('end soon when the last active one ends within 30 days', () => {
    expect(endsSoon(key({ expiresAt: 10 * day }), 0)).toBe(10 * day);
    expect(endsSoon(key({ expiresAt: 5 * day }, { expiresAt: 10 * day }), 0)).toBe(10 * day);
    expect(endsSoon(key({ expiresAt: 10 * day }, {}), 0)).toBeUndefined();
    expect(endsSoon(key({ expiresAt: 40 * day }), 0)).toBeUndefined();
    expect(endsSoon(key({ expiresAt: 10 * day }, { revoked: true }), 0)).toBe(10 * day);
    expect(endsSoon({ ...key({ expiresAt: 10 * day }), disabled: true }, 0)).toBeUndefined();
    expect(endsSoon(key(), 0)).toBeUndefined();
    expect(endsSoon({ ...key({}), expiresAt: 10 * day }, 0)).toBe(10 * day);
    expect(endsSoon({ ...key({ expiresAt: 5 * day }), expiresAt: 10 * day }, 0)).toBe(5 * day);
    expect(endsSoon({ ...key({ expiresAt: 20 * day }), expiresAt: 10 * day }, 0)).toBe(10 * day);
    expect(endsSoon({ ...key({}), expiresAt: 40 * day }, 0)).toBeUndefined();
    expect(endsSoon({ ...key({}), expiresAt: 10 * day }, 10 * day)).toBeUndefined();
  });

  it('do not end a key with public keys', () => {
    const jwks = { keys: [{ kid: '2027', kty: 'EC' as const, alg: 'ES256' as const }] };
    const revoked = key({ revoked: true });
    expect([canLogIn(key({}), 0), canLogIn(revoked, 0), canLogIn(key(), 0)]).toEqual([true, false, false]);
    expect([canLogIn({ ...revoked, jwks }, 0), canLogIn({ ...key(), jwks }, 0)]).toEqual([true, true]);
    expect(endsSoon({ ...key({ expiresAt: 10 * day }), jwks }, 0)).toBeUndefined();
    expect(endsSoon({ ...key(), jwks, expiresAt: 10 * day }, 0)).toBe(10 * day);
  });

  it('were used when the newest use was', () => {
    expect(lastUse(key({ lastUsedAt: 5 }, { lastUsedAt: 9 }, {}))).toBe(9);
    expect(lastUse(key({}))).toBeUndefined();
    const usage = { lastCallAt: 12, calls: 0, days: [], isUnused: true };
    expect(lastUse({ ...key({ lastUsedAt: 5 }), usage })).toBe(12);
    expect(lastUse({ ...key({}), usage })).toBe(12);
  });
});

describe('the request of a delivery', () => {
  const endpoint = {
    id: 'endpoint_1',
    url: 'https://partner.example:8443/hooks?a=1',
    standardWebhooks: true,
    deliveryHeaderName: 'X-Api-Key',
  } as never;
  const event = { id: 'event_1', body: '{"note":"it\'s é"}' } as never;

  it('has the headers that follow from the settings, and no value that only the receiver knows', () => {
    expect(sentRequest(endpoint, event)).toEqual({
      path: '/hooks?a=1',
      headers: [
        ['host', 'partner.example:8443'],
        ['content-type', 'application/json'],
        ['content-length', '18'],
        ['x-webhook-signature', '••••••'],
        ['webhook-id', 'event_1_endpoint_1'],
        ['webhook-timestamp', '••••••'],
        ['webhook-signature', '••••••'],
        ['x-api-key', '••••••'],
      ],
      body: '{"note":"it\'s é"}',
      bytes: 18,
    });
  });

  it('is one command of a shell, whatever the body contains', () => {
    expect(curlCommand('https://partner.example:8443/hooks?a=1', sentRequest(endpoint, event))).toBe(
      [
        "curl -sS -X POST 'https://partner.example:8443/hooks?a=1'",
        "-H 'content-type: application/json'",
        "-H 'webhook-id: event_1_endpoint_1'",
        "-H 'x-api-key: ••••••'",
        `--data-raw '{"note":"it'\\''s é"}'`,
      ].join(' \\\n  '),
    );
  });

  it('is formatted when it is JSON, and left as it is otherwise', () => {
    expect([formatted('{"a":[1]}'), formatted('no json')]).toEqual(['{\n  "a": [\n    1\n  ]\n}', 'no json']);
  });
});

describe('the fields of an event', () => {
  it('are those of its sample, with those inside of objects and lists', () => {
    const sample = { id: 'a', paid: true, payer: { name: 'x', tags: ['a'] }, lines: [{ amount: 1 }, {}], none: null };
    expect(fieldsOf(sample).map(({ path, type }) => `${path}: ${type}`)).toEqual([
      'id: string',
      'paid: boolean',
      'payer: object',
      'payer.name: string',
      'payer.tags: array',
      'lines: array',
      'lines[].amount: number',
      'none: null',
    ]);
  });
});

it('the command of the first steps names the key and no secret', () => {
  expect(loginCommand('https://api.example/v1', 'key_1')).toBe(
    [
      'curl -sS https://api.example/v1/login \\',
      "  -H 'content-type: application/json' \\",
      `  -d '{"grant_type":"client_credentials","client_id":"key_1","client_secret":"'"$CLIENT_SECRET"'","scope":"USER"}'`,
    ].join('\n'),
  );
});
