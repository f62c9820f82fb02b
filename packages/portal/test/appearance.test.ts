import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { addKey, addWebhook, button, enterUrl } from './support/walk.ts';

afterAll(closeBrowser);

const looks = [
  { name: 'light, desktop', options: { colorScheme: 'light' as const, viewport: { width: 1100, height: 800 } } },
  { name: 'dark, phone', options: { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } } },
];

describe.skipIf(!hasBrowser)('the look of the portal', () => {
  it.each(looks)('axe finds nothing on any screen: $name', async ({ options }) => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, 'owner', options);
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
    await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
    await check('keys, empty');
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
    await check('keys');
    await button(page, 'Rotate the secret').click();
    await check('a rotation');
    await button(page, 'Cancel').click();

    await button(page, 'Webhooks').click();
    await button(page, 'Add a webhook').click();
    await enterUrl(page, 'http://a.example');
    await page.getByText('The URL must begin').waitFor();
    await page.getByLabel('Send this header').check();
    await button(page, 'Add a webhook').click();
    await check('a form with errors');
    await addWebhook(page, platform.receiverUrl, 'Production');
    await check('a webhook without deliveries');
    for (const [name, close] of [
      ['Send a test event', 'Close'],
      ['Replay a period', 'Close'],
      ['Rotate the secret', 'Cancel'],
      ['Delete', 'Cancel'],
    ] as const) {
      await button(page, name).click();
      await check(name);
      await button(page, close).click();
    }
    platform.answer.status = 500;
    await platform.publish(2);
    await platform.attempts(2);
    await page.clock.runFor(5_000);
    await page.locator('tr[data-delivery] button').first().click();
    await page.getByText('The receiver answered 500').first().waitFor();
    await check('a failing webhook, with attempts');
    await button(page, 'Activity').click();
    await page.locator('tr[data-delivery]').first().waitFor();
    await check('deliveries');
    await button(page, 'Events').click();
    await page.locator('tr[data-event] button').first().click();
    await check('events');
    platform.end('owner');
    await page.clock.runFor(5_000);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await check('the end of the session');
  });

  it('is used with the keyboard alone', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
    await page.goto(platform.portalUrl);
    await button(page, 'Add an API key').waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(`document.activeElement.shadowRoot?.activeElement?.textContent.trim() ?? ''`);
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; (await focused()) !== name; presses += 1) {
        expect(presses, `no way to ${name}`).toBeLessThan(20);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('Add an API key');
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
    await tabTo('Done');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    await button(page, 'Rename').click();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  it('speaks French to readers of French, with their dates', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, 'owner', { locale: 'fr-FR' });
    await page.goto(platform.portalUrl);
    await button(page, 'Ajouter une clé d’API').click();
    await page.getByLabel('Nom', { exact: true }).fill('Réservations');
    await button(page, 'Ajouter la clé').click();
    await page.getByLabel('Je l’ai conservé').check();
    await button(page, 'Terminé').click();
    await page.getByText('Un secret').click();
    const created = await page.locator('td time').first().textContent();
    expect(created).toMatch(/^\d{1,2} \p{L}+\.? \d{4},? (à )?\d{2}:\d{2}:\d{2} UTC\+[12]$/u);
    await button(page, 'Webhooks').click();
    await button(page, 'Ajouter un webhook').click();
    await enterUrl(page, 'http://a.example');
    await page.getByText('L’URL doit commencer par https://.').waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
  });

  it('speaks the language of a JSON file, and English where that has a gap', async () => {
    const platform = await startPlatform({
      portal: { messages: { de: { keys: 'API-Schlüssel', cancel: 'Abbrechen' } } },
    });
    const { page } = await openPage(platform.baseUrl, 'owner', { locale: 'de-DE' });
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'API-Schlüssel' }).waitFor();
    await button(page, 'Add an API key').click();
    await button(page, 'Abbrechen').waitFor();
  });

  it('moves nothing when data arrives, and asks for the page, one script and the data only', async () => {
    const platform = await startPlatform();
    (await platform.kit.clients.create('org_main', { name: 'Booking system' }))._unsafeUnwrap();
    const { page } = await openPage(platform.baseUrl);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.addInitScript(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    expect(requested.filter((path) => !path.includes('/api/'))).toEqual([
      '/partner-portal',
      expect.stringMatching(/^\/partner-portal\/portal\.[0-9a-f]{16}\.js$/),
    ]);
    // Chromium counts what moves; content that takes the place of its skeleton does not.
    expect(await page.evaluate('window.shifts.reduce((sum, each) => sum + each, 0)')).toBeLessThan(0.01);
  });

  it('tells the page of the host what happens, and takes its theme', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
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
    await button(page, 'Rename').click();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Till' }).waitFor();
    expect(await page.evaluate('window.heard')).toEqual([
      ['partnerkit:key-added', 'keyId'],
      ['partnerkit:key-changed', 'change,keyId'],
    ]);
  });
});
