import { afterAll, describe, expect, it } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { addKey, addWebhook, button, readUntil } from './support/walk.ts';

afterAll(closeBrowser);

describe.skipIf(!hasBrowser)('the portal when something is wrong', () => {
  it('shows nobody the objects of another account', async () => {
    const platform = await startPlatform();
    const owner = await openPage(platform.baseUrl);
    await owner.page.goto(platform.portalUrl);
    await addKey(owner.page, 'Of the owner');
    await addWebhook(owner.page, platform.receiverUrl, 'Of the owner');
    await platform.publish(1);
    const ofEndpoint = new URL(owner.page.url()).hash;

    const { page, allow } = await openPage(platform.baseUrl, 'stranger');
    allow(/^alert: It no longer exists/);
    await page.goto(platform.portalUrl);
    await page.getByText('Someone Else').waitFor();
    await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
    await button(page, 'Activity').click();
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    await page.goto(`${platform.portalUrl}${ofEndpoint}`);
    await page.getByText('It no longer exists.').first().waitFor();
    expect(await page.getByText('Of the owner').count()).toBe(0);
  });

  it('offers a reader no change, and a session without rights no screen', async () => {
    const platform = await startPlatform();
    const owner = await openPage(platform.baseUrl);
    await owner.page.goto(platform.portalUrl);
    await addKey(owner.page, 'Booking system');
    await addWebhook(owner.page, platform.receiverUrl, 'Production');
    await platform.publish(1);
    await platform.attempts(1);

    const { page } = await openPage(platform.baseUrl, 'reader');
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    const changes = /^(Add|Rotate|Rename|Disable|Enable|Revoke|Edit|Delete|Send|Replay)/;
    expect(await page.getByRole('button', { name: changes }).count()).toBe(0);
    await button(page, 'Webhooks').click();
    await button(page, 'Production').click();
    await page.locator('tr[data-delivery] button').click();
    await page.getByText('Delivered on').waitFor();
    expect(await page.getByRole('button', { name: changes }).count()).toBe(0);
    await page.goto(`${platform.portalUrl}#/webhooks/new`);
    await button(page, 'Production').waitFor();

    const nobody = await openPage(platform.baseUrl, 'nothing');
    await nobody.page.goto(platform.portalUrl);
    await nobody.page.getByText('Ask your administrator').waitFor();
  });

  it('leads to the login when the session ends in the middle, and forgets a secret that is shown', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl);
    allow(/^alert: Your session has ended/);
    await page.goto(platform.portalUrl);
    const ended = page.evaluate(
      `new Promise((resolve) => addEventListener('partnerkit:session-ended', () => resolve(true), { once: true }))`,
    );
    await button(page, 'Add an API key').click();
    await page.getByLabel('Name', { exact: true }).fill('Booking system');
    await button(page, 'Add the key').click();
    await page.locator('code[part=secret]').waitFor();
    platform.end('owner');
    await page.clock.runFor(15_000);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await ended).toBe(true);
    expect(await page.locator('code[part=secret]').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');

    const late = await openPage(platform.baseUrl, 'unknown');
    late.allow(/^alert: Your session has ended/);
    await late.page.goto(platform.portalUrl);
    await late.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });

  it('ends a pause at once when a person resumes a repaired webhook', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
    await page.goto(platform.portalUrl);
    await addWebhook(page, platform.receiverUrl, 'Production');
    platform.answer.status = 500;
    // The breaker opens after five failures in a row.
    await platform.publish(5);
    await platform.attempts(5);
    await readUntil(page, page.getByText(/Paused until/));
    platform.answer.status = 200;
    await button(page, 'Resume now').click();
    await button(page.locator('dialog'), 'Resume now').click();
    await page.getByText(/Paused until/).waitFor({ state: 'detached' });
    await expect.poll(() => button(page, 'Resume now').count()).toBe(0);
  });

  it('keeps what it shows while the platform is gone, and goes on by itself', async () => {
    const platform = await startPlatform();
    const { page, context, allow } = await openPage(platform.baseUrl);
    await page.goto(platform.portalUrl);
    await addWebhook(page, platform.receiverUrl, 'Production');
    allow(/^alert: The platform cannot be reached/);
    await context.setOffline(true);
    await page.clock.runFor(5_000);
    await page.getByText('The platform cannot be reached.').first().waitFor();
    await page.getByText(platform.receiverUrl).first().waitFor();
    await button(page, 'Disable').click();
    await button(page.locator('dialog'), 'Disable').click();
    await page.locator('dialog').getByText('The platform cannot be reached.').waitFor();
    await context.setOffline(false);
    await button(page.locator('dialog'), 'Disable').click();
    await page.getByText(/^Disabled by you/).waitFor();
    await page.getByText('The platform cannot be reached.').first().waitFor({ state: 'detached' });

    const broken = await openPage(platform.baseUrl);
    broken.allow(/^alert: The portal cannot be loaded/);
    await broken.page.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
    await broken.page.goto(platform.portalUrl);
    await broken.page.getByText('Something went wrong. Try again.').waitFor();
    await broken.page.unroute('**/api/**');
    await broken.page.clock.runFor(4_000);
    await broken.page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  });

  it('refuses a change of what somebody else changed meanwhile, and says so', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl);
    allow(/^alert: Somebody changed it/);
    await page.goto(platform.portalUrl);
    await addWebhook(page, platform.receiverUrl, 'Production');
    await button(page, 'Edit').click();
    await page.getByLabel('Label', { exact: true }).fill('Mine');
    const [endpoint] = (await platform.kit.endpoints.list('org_main'))._unsafeUnwrap().items;
    (await platform.kit.endpoints.update('org_main', endpoint?.id ?? '', { label: 'Theirs' }))._unsafeUnwrap();
    await button(page, 'Save').click();
    await page.getByText('Somebody changed it since you opened it.').waitFor();
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Mine');
  });

  it('asks before it searches far back for a filter', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
    let asked = 0;
    await page.route('**/api/deliveries?*', (route) => {
      asked += 1;
      return route.fulfill({ json: { items: [], ...(asked < 25 ? { next: `page-${asked}` } : {}) } });
    });
    await page.goto(`${platform.portalUrl}#/activity?state=held`);
    const more = button(page, 'Search older events');
    await more.waitFor();
    expect(asked).toBe(20);
    await more.click();
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    expect(asked).toBe(25);
  });

  it('lists many deliveries page by page, each once', async () => {
    const count = sized(120, 10_000);
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
    await page.goto(platform.portalUrl);
    await addWebhook(page, platform.receiverUrl);
    await platform.publish(count);
    const waiting = async (): Promise<number> => {
      const { undispatched, waiting: due } = (await platform.kit.deliveries.backlog('org_main'))._unsafeUnwrap();
      return undispatched + due;
    };
    await expect.poll(waiting, { timeout: 240_000, interval: 100 }).toBe(0);
    await button(page, 'Activity').click();
    const rows = page.locator('tr[data-delivery]');
    const seen = new Set<string>();
    for (;;) {
      await rows.first().waitFor();
      const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-delivery') ?? ''));
      expect(ids.length).toBeLessThanOrEqual(50);
      for (const id of ids) seen.add(id);
      const older = button(page, 'Older');
      if ((await older.getAttribute('aria-disabled')) === 'true') break;
      await older.click();
      await page.locator(`tr[data-delivery="${ids[0]}"]`).waitFor({ state: 'detached' });
    }
    expect(seen.size).toBe(count);
    await button(page, 'Newer').click();
    await rows.first().waitFor();
  });
});
