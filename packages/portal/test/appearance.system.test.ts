import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { addKey, addWebhook, button, choose, enterUrl, goTo, link } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

const looks = [
  { name: 'light, desktop', options: { colorScheme: 'light' as const, viewport: { width: 1100, height: 800 } } },
  { name: 'dark, phone', options: { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } } },
];

/** The name of what has the focus in the portal. */
const focused = async (page: Page): Promise<string> => {
  const name = `focused && (focused.getAttribute('aria-label') ?? focused.textContent.trim())`;
  return page.evaluate(`(focused => ${name})(document.activeElement.shadowRoot?.activeElement)`);
};

const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; (await focused(page)) !== name; presses += 1) {
    expect(presses, `no way to ${name}`).toBeLessThan(30);
    await page.keyboard.press('Tab');
  }
};

describe.skipIf(!hasBrowser)('the look of the portal', () => {
  it.each(looks)('axe finds nothing on any screen: $name', async ({ options }) => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'), options);
    allow(/^alert: (Store the secret first|Correct the marked fields|Your session has ended)/);
    const check = async (state: string): Promise<void> => {
      await expectAccessible(page, state);
      const [wide, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as readonly [
        number,
        number,
      ];
      expect(wide, `${state} is as wide as the window`).toBeLessThanOrEqual(window);
    };
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await check('home, empty');
    await goTo(page, 'API keys');
    await button(page, 'Add an API key').click();
    await button(page, 'Add the key').click();
    await check('a key without a name');
    await page.getByLabel('Name', { exact: true }).fill('Booking system');
    await button(page, 'Add the key').click();
    await page.locator('code[part=secret]').waitFor();
    await page.keyboard.press('Escape');
    await check('a secret, with a reminder');
    await page.getByLabel('I stored it').check();
    await button(page, 'Done').click();
    await page.getByText('One secret').click();
    await button(page, 'More').click();
    await check('keys, with a menu');
    await page.keyboard.press('Escape');
    await button(page, 'Rotate the secret').click();
    await check('a rotation');
    await button(page, 'Cancel').click();
    await goTo(page, 'Events');
    await page.locator('[data-event="RequestPayment.payed"] summary').click();
    await check('events');
    await goTo(page, 'Verify');
    await page.getByLabel('Request', { exact: true }).fill('{}');
    await page.getByLabel('Webhook secret').fill('whsec_other');
    await button(page, 'Check the signature').click();
    await page.getByText('There is no signature').waitFor();
    await page.locator('details').first().locator('summary').click();
    await check('a signature that is checked');

    await goTo(page, 'Webhooks');
    await link(page, 'Add a webhook').click();
    await enterUrl(page, 'http://a.example');
    await page.getByText('The URL must begin').waitFor();
    await page.getByLabel('Send this header').check();
    await button(page, 'Add a webhook').click();
    await check('a form with errors');
    await addWebhook(page, platform.receiverUrl, 'Production');
    await check('a webhook without deliveries');
    for (const [name, close] of [
      ['Replay a period', 'Close'],
      ['Rotate the secret', 'Cancel'],
    ] as const) {
      await choose(page, name);
      await check(name);
      await button(page, close).click();
    }
    await button(page, 'Send a test event').click();
    await page.getByLabel('Data').waitFor();
    await check('a test');
    await button(page, 'Close').click();
    platform.answer.status = 500;
    await platform.publish(2);
    await platform.attempts(2);
    await page.clock.runFor(5_000);
    await page.getByText('The receiver answered 500').first().waitFor();
    await check('a failing webhook');
    await link(page, 'See the delivery').click();
    await page.locator('.timeline').waitFor();
    await check('a delivery');
    await goTo(page, 'Home');
    await page.locator('.problem').waitFor();
    await check('home, failing');
    await goTo(page, 'Deliveries');
    await page.locator('table[data-list=deliveries] tbody tr').first().waitFor();
    await page.getByText('More filters').click();
    await check('deliveries');
    await link(page, 'Published events').click();
    await page.locator('table[data-list=events] tbody tr').first().waitFor();
    await check('published events');
    platform.end('owner');
    await page.clock.runFor(5_000);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await check('the end of the session');
  });

  it('is used with the keyboard alone', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(platform.portalUrl);
    await button(page, 'Add an API key').waitFor();
    await tabTo(page, 'Add an API key');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await page.keyboard.type('Booking system');
    await page.keyboard.press('Enter');
    await page.locator('code[part=secret]').waitFor();
    await page.keyboard.press('Tab');
    for (let presses = 0; presses < 10 && !(await page.getByLabel('I stored it').isChecked()); presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.getByLabel('I stored it').evaluate((box) => box.matches(':focus')))
        await page.keyboard.press('Space');
    }
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await page.locator('.steps pre').waitFor();
    await tabTo(page, 'API keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    await tabTo(page, 'More ▾');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Edit');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).toBe('Delete');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('More ▾');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Edit');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  it('lets the guest of a test environment pay with the keyboard alone', async () => {
    const platform = await startPlatform({ hasRequests: true });
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.portalUrl}#/requests`);
    await button(page, 'New payment request').waitFor();
    await tabTo(page, 'New payment request');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await tabTo(page, 'New payment request');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Weekend' }).waitFor();
    await tabTo(page, 'The guest pays');
    await page.keyboard.press('Enter');
    await page.locator('.heading').getByText('Paid').waitFor();
    await tabTo(page, 'The platform refunds, with details');
    await page.keyboard.press('Space');
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('The platform refunds, with details');
    await tabTo(page, 'Payment requests');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Deposits');
    await page.keyboard.press('Enter');
    await button(page, 'New deposit').waitFor();
  });

  it('shows the numbers of a chart to who has no pointer', async () => {
    const platform = await startPlatform();
    const { endpoint } = await platform.endpoint('Production');
    await platform.publish(3);
    await platform.state('payment_2', 'delivered');
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}`);
    const plot = page.getByRole('slider');
    await plot.focus();
    await page.locator('figcaption', { hasText: '3 confirmed, 0 failed' }).waitFor();
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/^\d\d:00: 3 confirmed, 0 failed$/);
    await page.keyboard.press('Home');
    await page.locator('figcaption', { hasText: '0 confirmed, 0 failed' }).waitFor();
    await page.getByText('As a table').click();
    expect(await page.locator('.tall tbody tr').count()).toBe(24);
  });

  it('has links that a browser opens in another tab, and keeps the place when it is loaded again', async () => {
    const platform = await startPlatform();
    await platform.endpoint('Production');
    const { page, context } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(platform.portalUrl);
    // Playwright can miss that the browser opens a tab: here, what the page leaves to the browser is written down.
    await page.evaluate(`globalThis.left = []; for (const type of ['click', 'auxclick'])
      addEventListener(type, (event) => {
        left.push([type, event.defaultPrevented]);
        event.preventDefault();
      })`);
    await link(page, 'Production').click({ modifiers: ['ControlOrMeta'] });
    await link(page, 'Production').click({ button: 'middle' });
    expect(await page.evaluate('left')).toEqual([
      ['click', false],
      ['auxclick', false],
    ]);
    expect(page.url()).toBe(platform.portalUrl);
    const copied = await link(page, 'Production').getAttribute('href');
    expect(copied).toMatch(/#\/webhooks\/[0-9a-f-]{36}$/);
    const other = await context.newPage();
    await other.goto(new URL(copied ?? '', page.url()).href);
    await other.getByRole('heading', { name: 'Production' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Production' }).waitFor();
  });

  it('keeps what a person reads in its place while new deliveries arrive', async () => {
    const platform = await startPlatform();
    await platform.endpoint('Production');
    await platform.publish(2);
    await platform.state('payment_1', 'delivered');
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.portalUrl}#/deliveries`);
    const rows = page.locator('table[data-list=deliveries] tbody tr');
    await rows.nth(1).waitFor();
    await rows.first().hover();
    const first = await rows.first().getAttribute('data-key');
    await platform.publish(1);
    await platform.state('payment_0', 'delivered', 2);
    await page.clock.runFor(5_000);
    await button(page, 'Show 1 new').waitFor();
    expect(await rows.first().getAttribute('data-key')).toBe(first);
    await button(page, 'Show 1 new').click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.first().getAttribute('data-key')).not.toBe(first);
  });

  it('speaks French to readers of French, with their dates', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), { locale: 'fr-FR' });
    await page.goto(`${platform.portalUrl}#/keys`);
    await button(page, 'Ajouter une clé d’API').click();
    await page.getByLabel('Nom', { exact: true }).fill('Réservations');
    await button(page, 'Ajouter la clé').click();
    await page.getByLabel('Je l’ai conservé').check();
    await button(page, 'Terminé').click();
    await page.getByText('Un secret').click();
    const created = await page.locator('td time').first().getAttribute('title');
    expect(created).toMatch(/^\d{1,2} \p{L}+\.? \d{4},? (à )?\d{2}:\d{2}:\d{2} UTC\+[12]$/u);
    await page.goto(`${platform.portalUrl}#/webhooks/new`);
    await enterUrl(page, 'http://a.example');
    await page.getByText('L’URL doit commencer par https://.').waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
  });

  it('speaks the language of a JSON file, and English where that has a gap', async () => {
    const platform = await startPlatform({
      portal: { messages: { pl: { keys: 'Klucze API', cancel: 'Anuluj' } } },
    });
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), { locale: 'pl-PL' });
    await page.goto(`${platform.portalUrl}#/keys`);
    await page.getByRole('heading', { name: 'Klucze API' }).waitFor();
    await button(page, 'Add an API key').click();
    await button(page, 'Anuluj').waitFor();
  });

  it('moves nothing when data arrives, and asks for the page, one module and the data only', async () => {
    const platform = await startPlatform();
    (await platform.kit.clients.create(platform.accountId, { name: 'Booking system' }))._unsafeUnwrap();
    await platform.endpoint('Production');
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.addInitScript(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(platform.portalUrl);
    await page.locator('.steps pre').waitFor();
    expect(requested.filter((path) => !path.includes('/api/'))).toEqual([
      '/partner-portal',
      expect.stringMatching(/^\/partner-portal\/element\.[0-9a-f]{16}\/portal\.js$/),
    ]);
    // Chromium counts what moves; content that takes the place of its skeleton does not.
    expect(await page.evaluate('window.shifts.reduce((sum, each) => sum + each, 0)')).toBeLessThan(0.01);
  });

  it('tells the page of the host what happens, and takes its theme', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(platform.portalUrl);
    await page.evaluate(`
      window.heard = [];
      for (const name of ['key-added', 'key-changed', 'endpoint-created', 'endpoint-changed', 'navigate'])
        addEventListener('partnerkit:' + name, ({ type, detail }) => window.heard.push([type, Object.keys(detail).sort().join()]));
      document.querySelector('partnerkit-portal').style.setProperty('--partnerkit-accent', 'rgb(0, 100, 0)');
    `);
    await addKey(page, 'Booking system');
    const colour = `getComputedStyle(document.querySelector('partnerkit-portal').shadowRoot.querySelector('.primary'))`;
    expect(await page.evaluate(`${colour}.backgroundColor`)).toBe('rgb(0, 100, 0)');
    await goTo(page, 'API keys');
    await choose(page, 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Till' }).waitFor();
    expect(await page.evaluate('window.heard')).toEqual([
      ['partnerkit:key-added', 'keyId'],
      ['partnerkit:navigate', 'screen'],
      ['partnerkit:key-changed', 'change,keyId'],
    ]);
  });
});
