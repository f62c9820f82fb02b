import { describe, expect, test } from 'vitest';
import { languages } from '../src/alerts/alert-text.ts';
import { type AlertEvent, alertText } from '../src/index.ts';

const id = (nth: number): string => `01a208ef-d2e3-7854-8a11-${String(nth).padStart(12, '0')}`;
const failing = (nth: number): AlertEvent => ({ type: 'endpoint.failing', data: { id: id(nth), failures: 5 } });
const link = 'https://app.example.com/partner-portal';

test('one event is a sentence with its name, what to do, and a link to its screen', () => {
  expect(alertText([failing(1)], { link, nameOf: () => 'Booking' })).toEqual({
    subject: 'The webhook Booking fails.',
    text: `The webhook Booking fails.\nDeliveries wait and are tried again. Check the receiver.\n${link}#/webhooks/${id(1)}`,
    html:
      '<p>The webhook Booking fails.<br>Deliveries wait and are tried again. Check the receiver.<br>' +
      `<a href="${link}#/webhooks/${id(1)}">${link}#/webhooks/${id(1)}</a></p>`,
  });
});

test('the last failure of one webhook is named, by its latest event', () => {
  const failed = (outcome: unknown): AlertEvent => ({
    type: 'endpoint.disabled',
    data: { id: id(1), lastFailure: { objectName: 'RequestPayment', type: 'payed', eventId: 'event_7', outcome } },
  });
  const lines = (events: readonly AlertEvent[], language: string) => alertText(events, { language })?.text.split('\n');
  expect(lines([failed(500), failed(503)], 'en')?.[1]).toBe('Last failure: RequestPayment.payed (event_7), HTTP 503.');
  expect(lines([failed('timeout')], 'fr')?.[1]).toBe('Dernier échec : RequestPayment.payed (event_7), timeout.');
  expect(lines([failed('a\r\nb')], 'en')).toHaveLength(3);
  expect(lines([failed(500), { type: 'endpoint.disabled', data: { id: id(2) } }], 'en')?.join()).not.toContain('Last');
  expect(lines([{ type: 'endpoint.disabled', data: { id: id(1), lastFailure: null } }], 'en')).toHaveLength(2);
});

test('50 webhooks that fail, one of them twice, make one message with 10 names', () => {
  const events = [...Array.from({ length: 50 }, (_, nth) => failing(nth)), failing(3)];
  const { subject, text } = alertText(events, { link, nameOf: ({ data }) => `n${Number(data.id.slice(-3))}` }) ?? {};
  expect(subject).toBe('50 webhooks fail.');
  expect(text?.split('\n')).toEqual([
    ...['50 webhooks fail.', ...Array.from({ length: 10 }, (_, nth) => `- n${nth}`), '- and 40 more'],
    ...['Deliveries wait and are tried again. Check the receiver.', `${link}#/webhooks`],
  ]);
});

test('of several types, what needs a person most is the subject; counts are added, and ends are told in days', () => {
  const message = alertText(
    [
      { type: 'key.added', data: { id: 'k1' } },
      { type: 'secret.expires_soon', data: { id: 'k2', days: 14 } },
      { type: 'delivery.exhausted', data: { id: id(1), count: 40 } },
      { type: 'delivery.exhausted', data: { id: id(1), count: 2 } },
    ],
    { language: 'de-CH', link },
  );
  expect(message?.subject).toBe(`Zustellungen an den Webhook ${id(1)} wurden aufgegeben: 42. (und 2 weitere)`);
  expect(message?.text).toContain(`Der Zugang des API-Schlüssels k2 endet in 14 Tagen.`);
  expect(message?.text).toContain(`Der API-Schlüssel k1 wurde angelegt.`);
  expect(message?.text.split('\n').filter((line) => line.startsWith(link))).toEqual([
    `${link}#/webhooks/${id(1)}`,
    `${link}#/keys`,
    `${link}#/keys`,
  ]);
});

test('a refused command of an object links to the requests, not to a webhook with its id', () => {
  const refused = { type: 'due_command.refused', data: { id: id(1), command: 'remind', reason: 'hook_refused' } };
  expect(alertText([refused], { link })?.text.split('\n')).toEqual([
    ...[`A due step of the object ${id(1)} was refused.`, 'Look at the object.', `${link}#/requests`],
  ]);
});

describe('what a partner wrote', () => {
  const nasty = '<b onclick="x">&\r\nBcc: all@example.com\u202e {count} \u2028';
  const message = alertText([failing(1), failing(2)], { nameOf: () => nasty, link: `${link}?a="><script>` });

  test('begins no line and no header, and changes no direction', () => {
    const { subject, text } = alertText([failing(1)], { nameOf: () => nasty }) ?? {};
    expect(subject).toBe('The webhook <b onclick="x">& Bcc: all@example.com {count} fails.');
    expect(text?.split('\n')).toHaveLength(2);
  });

  test('is escaped in HTML, as the link is', () => {
    expect(message?.html).toContain('- &#60;b onclick=&#34;x&#34;&#62;&#38; Bcc: all@example.com {count}<br>');
    expect(message?.html).not.toMatch(/<b |<script|"x"/);
  });

  test('is at most 100 characters', () => {
    expect(alertText([failing(1)], { nameOf: () => '🏡'.repeat(101) })?.subject).toBe(
      `The webhook ${'🏡'.repeat(100)}… fails.`,
    );
  });
});

test('what nobody needs to read makes no message; an unknown language is English', () => {
  expect(alertText([])).toBeUndefined();
  expect(alertText([{ type: 'endpoint.changed', data: { id: id(1) } }])).toBeUndefined();
  for (const language of ['pl', 'toString', '!'])
    expect(alertText([failing(1)], { language })?.subject).toBe(`The webhook ${id(1)} fails.`);
  expect(alertText([{ type: 'secret.expires_soon', data: { id: 'k' } }])?.subject).toBe(
    'The access of the API key k ends soon.',
  );
});

test('every language has every text in the same order, with the same values', () => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const shape = ({ more, types }: (typeof languages)['en']) => [
    valuesOf(more),
    ...Object.entries(types).map(([type, [one, several, advice]]) => [
      ...[type, valuesOf(one), valuesOf(several), advice === ''],
    ]),
  ];
  const { en, ...others } = languages;
  for (const texts of Object.values(others)) expect(shape(texts)).toEqual(shape(en));
  expect(Object.keys(en.types).toSorted()).toEqual([
    ...['account.changed', 'delivery.exhausted', 'delivery.expired', 'due_command.refused'],
    ...['endpoint.disable_soon', 'endpoint.disabled', 'endpoint.enabled'],
    ...['endpoint.failing', 'endpoint.recovered', 'endpoint.silent', 'key.added', 'key.changed', 'key.unused'],
    ...['secret.expires_soon', 'secret.rotated', 'sending.paused', 'sending.resumed'],
  ]);
});
