import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Answers,
  answer,
  bookingId,
  disabledWebhook,
  ending,
  givenUp,
  newcomer,
  now,
  oneDelivery,
  pausedWebhook,
  rotatingWebhook,
  session,
  shownDelivery,
  trail,
  trouble,
  usual,
} from './support/answers.ts';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import {
  disputedPayment,
  shownCashOut,
  shownDeposit,
  shownPayment,
  withoutRequests,
  withRequests,
} from './support/request-answers.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

/** Where photographs are stored; without it, none is taken. `pnpm run portal:photographs` sets it. */
const folder = process.env['PORTAL_PHOTOGRAPHS'];
if (folder !== undefined) mkdirSync(folder, { recursive: true });

const reader = { ...trouble, session: { ...session, can: { keys: 'read', webhooks: 'read', deliveries: 'read' } } };
const developer = { ...usual, session: { ...session, can: { webhooks: 'read' } } };
const alerted: Answers = {
  ...usual,
  session: { ...session, can: { ...session.can, audit: 'read', alerts: 'write' } },
  alerts: { address: 'desk@partner.example' },
};
const alertedNewcomer: Answers = { ...alerted, ...newcomer, session: alerted['session'] ?? 404, alerts: {} };
const audited: Answers = { ...alerted, audit: { items: trail } };
const requestReader = { ...withRequests, session: { ...session, can: { requests: 'read' } } };
const { id: paymentId } = shownPayment;

/** Each screen in each state: its name, its hash, and what the platform answers. */
const states: readonly (readonly [name: string, hash: string, answers: Answers, faults?: RegExp])[] = [
  ['home-empty', '', newcomer],
  ['home-usual', '', usual],
  ['home-failing', '', trouble],
  ['home-reader', '', reader],
  ['home-rotating', '', rotatingWebhook],
  ['home-unavailable', '', { ...usual, endpoints: 503 }, /^alert: The platform cannot answer/],
  ['home-alerts', '', alerted],
  ['home-alerts-none', '', alertedNewcomer],
  ['audit-many', 'audit', audited],
  ['requests-empty', 'requests', withoutRequests],
  ['requests-many', 'requests?show=payment-requests&reference=B-2207', withRequests],
  ['requests-payment', `requests/${paymentId}`, withRequests],
  ['requests-chargeback', `requests/${disputedPayment.id}`, withRequests],
  ['requests-deposit', `requests/${shownDeposit.id}?show=security-deposits`, withRequests],
  ['requests-cash-out', `requests/${shownCashOut.id}?show=cash-outs`, withRequests],
  ['requests-reader', `requests/${paymentId}`, requestReader],
  ['requests-off', 'requests', usual],
  ['webhooks-empty', 'webhooks', newcomer],
  ['webhooks-many', 'webhooks', trouble],
  ['webhook-delivering', `webhooks/${bookingId}`, { ...usual, deliveries: { items: [] } }],
  ['webhook-failing', `webhooks/${bookingId}`, trouble],
  ['webhook-paused', `webhooks/${bookingId}`, pausedWebhook],
  ['webhook-disabled', `webhooks/${bookingId}`, disabledWebhook],
  ['webhook-given-up', `webhooks/${bookingId}`, givenUp],
  ['webhook-reader', `webhooks/${bookingId}`, reader],
  ['webhook-without-deliveries', `webhooks/${bookingId}`, developer],
  [
    'webhook-gone',
    `webhooks/${bookingId}`,
    { ...usual, [`endpoints/${bookingId}`]: 404 },
    /^alert: It no longer exists/,
  ],
  ['webhook-ending', `webhooks/${bookingId}`, ending],
  ['webhook-new', 'webhooks/new', usual],
  ['webhook-edit', `webhooks/${bookingId}/edit`, usual],
  ['deliveries-empty', 'deliveries', newcomer],
  ['deliveries-many', 'deliveries?objectName=RequestPayment', usual],
  ['deliveries-events', 'deliveries?show=events', usual],
  ['delivery-waiting', `deliveries/${shownDelivery.id}`, oneDelivery],
  ['delivery-pruned', `deliveries/${shownDelivery.id}`, { ...oneDelivery, [`events/${shownDelivery.eventId}`]: 404 }],
  ['events', 'events', usual],
  ['events-search', 'events?search=payed', usual],
  ['events-deprecated', 'events?search=cancelled', ending],
  ['events-none', 'events?search=nothing', usual],
  ['verify', 'verify', usual],
  ['keys-empty', 'keys', newcomer],
  ['keys-many', 'keys', usual],
  ['keys-no-right', 'keys', developer],
  ['session-ended', '', { session: 401 }, /^alert: Your session has ended/],
];

/** Looks that one state each is photographed in. */
const looks = [
  ['dark', { colorScheme: 'dark' as const }, ['home-failing', 'delivery-waiting', 'requests-payment']],
  [
    'phone',
    { viewport: { width: 390, height: 844 } },
    [
      'home-failing',
      'webhook-failing',
      'webhook-ending',
      'delivery-waiting',
      'deliveries-many',
      'requests-many',
      'requests-payment',
      'requests-chargeback',
      'home-alerts',
      'audit-many',
      'webhook-paused',
    ],
  ],
  ['de', { locale: 'de-CH' }, ['home-failing', 'home-alerts', 'audit-many', 'webhook-paused', 'requests-cash-out']],
  [
    'de-phone',
    { locale: 'de-CH', viewport: { width: 390, height: 844 } },
    ['home-alerts', 'home-alerts-none', 'audit-many', 'webhook-paused'],
  ],
  ['es', { locale: 'es-ES' }, ['webhook-failing']],
] as const;

/** Five themes: the colour of the host's page, and the custom properties of the host. */
const themes: readonly (readonly [
  name: string,
  scheme: 'light' | 'dark',
  background: string,
  properties: Readonly<Record<string, string>>,
])[] = [
  ['light', 'light', '', {}],
  ['dark', 'dark', '', {}],
  ['brand', 'light', '#fff', { accent: '#0a7f5a', radius: '2px', density: '0.75', font: '0.9375rem/1.5 serif' }],
  [
    'coloured',
    'light',
    '#e9dff7',
    { accent: '#5b21b6', surface: '#f6f0fd', sunken: '#ece2f9', border: '#cdb9ea', muted: '#54456b', good: '#0d5224' },
  ],
  [
    'contrast',
    'dark',
    '#000',
    {
      ...{ accent: '#ffe600', 'on-accent': '#000', surface: '#000', sunken: '#000' },
      ...{ text: '#fff', muted: '#fff', border: '#fff', control: '#fff' },
    },
  ],
];

/** One state of each screen, for what every screen must stand. */
const oneOfEach = [
  ...['home-failing', 'requests-many', 'requests-payment', 'webhooks-many', 'webhook-failing', 'webhook-edit'],
  ...['deliveries-many', 'delivery-waiting', 'events', 'keys-many', 'verify'],
];

const photograph = async (page: Page, name: string): Promise<void> => {
  const [wide, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
  expect(wide, `${name} is as wide as the window`).toBeLessThanOrEqual(window ?? 0);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

/**
 * Shows a place as if the page were loaded there, and waits until the screen has its answers. The screen before it has
 * left when the answers change: it would ask for what is there no more.
 */
const show = async (page: Page, hash: string, answers: Answers): Promise<void> => {
  await page.evaluate(`globalThis.portal ??= document.querySelector('partnerkit-portal');
    globalThis.place ??= portal.parentElement;
    portal.remove();
    // A new element: what the last one showed would pass for the screen until it is there.
    globalThis.portal = portal.cloneNode(false);`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await answer(page, answers);
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/session'));
  await page.evaluate(`history.replaceState(null, '', '#/${hash}');
    place.append(portal);`);
  await answered;
  await page.locator('h2, .empty h3').first().waitFor();
  await expect.poll(() => page.locator('.skeleton').count(), { interval: 20 }).toBe(0);
};

describe.skipIf(!hasBrowser)('photographs', () => {
  it('of each screen in each state: nothing is wider than the page, axe finds nothing, and nothing fails', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'), {
      viewport: { width: 1200, height: 800 },
    });
    await page.clock.setFixedTime(now * 1_000);
    await page.goto(platform.portalUrl);
    for (const [name, hash, answers, faults] of states) {
      if (faults) allow(faults);
      await show(page, hash, answers);
      await photograph(page, name);
      await expectAccessible(page, name);
    }
  });

  it.each(looks)('in another look: %s', async (look, options, names) => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {
      viewport: { width: 1200, height: 800 },
      ...options,
    });
    await page.clock.setFixedTime(now * 1_000);
    await page.goto(platform.portalUrl);
    for (const [name, hash, answers] of states) {
      if (!(names as readonly string[]).includes(name)) continue;
      await show(page, hash, answers);
      await photograph(page, `${name}-${look}`);
    }
  });

  it('of each screen at twice the size of text, in forced colours, without motion and from right to left', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {
      viewport: { width: 1024, height: 800 },
      forcedColors: 'active',
      reducedMotion: 'reduce',
    });
    await page.clock.setFixedTime(now * 1_000);
    await page.goto(platform.portalUrl);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'; document.documentElement.dir = 'rtl';`);
    for (const [name, hash, answers] of states) {
      if (!oneOfEach.includes(name)) continue;
      await show(page, hash, answers);
      await photograph(page, `${name}-rtl`);
    }
    expect(await page.evaluate(`getComputedStyle(document.querySelector('partnerkit-portal')).direction`)).toBe('rtl');
  });

  it('of every part in each of its states, in which axe finds nothing', async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('element/parts-page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'esm',
      ignoreAnnotations: true,
    });
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {
      viewport: { width: 1200, height: 800 },
    });
    await page.route('**/parts*', (route) => {
      const isScript = route.request().url().endsWith('.js');
      const html =
        '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Parts</title><style>:root{color-scheme:light dark;background:light-dark(#f6f7f9,#0f1216)}</style><script type="module" src="/parts.js"></script><body></body></html>';
      return route.fulfill(
        isScript
          ? { contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }
          : { contentType: 'text/html', body: html },
      );
    });
    for (const [name, colorScheme, background, theme] of themes) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${platform.baseUrl}/parts`);
      await page.locator('.toast').waitFor();
      const properties = Object.entries(theme).map(([property, value]) => `--partnerkit-${property}: ${value}`);
      await page.evaluate(`document.documentElement.style.background = '${background}';
        document.querySelector('all-parts').style.cssText = ${JSON.stringify(properties.join(';'))}`);
      await expectAccessible(page, `parts, ${name}`);
      await photograph(page, `parts-${name}`);
      // The page of the host is seen between the boxes.
      const colour = `getComputedStyle(document.querySelector('all-parts')).backgroundColor`;
      expect(await page.evaluate(colour), name).toBe('rgba(0, 0, 0, 0)');
      // Nothing fails in a page that hides the element, such as a tab of the host.
      await page.evaluate(`document.querySelector('all-parts').style.display = 'none'`);
      // A photograph waits for a frame.
      await page.screenshot();
    }
  });
});
