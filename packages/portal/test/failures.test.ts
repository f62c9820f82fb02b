import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, openStranger, startPlatform } from './support/platform.ts';
import { button, choose, goTo, link, readUntil } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

describe.skipIf(!hasBrowser)('the portal when something is wrong', () => {
  it('shows nobody the objects of another account', async () => {
    const platform = await startPlatform();
    (await platform.kit.clients.create(platform.accountId, { name: 'Of the owner' }))._unsafeUnwrap();
    const { endpoint } = await platform.endpoint('Of the owner');
    await platform.publish(1);
    await platform.attempts(1);
    const [delivery] = (await platform.kit.deliveries.list(platform.accountId, {}))._unsafeUnwrap().items;

    const stranger = await openStranger();
    const { page, allow } = await openPage(stranger.baseUrl, stranger.session('owner'));
    allow(/^alert: It no longer exists/);
    await page.goto(platform.portalUrl);
    await page.getByText('Someone Else').first().waitFor();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await goTo(page, 'API keys');
    await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
    await goTo(page, 'Deliveries');
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    for (const hash of [
      `#/webhooks/${endpoint.id}`,
      `#/webhooks/${endpoint.id}/edit`,
      `#/deliveries/${delivery?.id}`,
    ]) {
      await page.goto(`${platform.portalUrl}${hash}`);
      await page.getByText('It no longer exists.').first().waitFor();
      expect(await page.getByText('Of the owner').count()).toBe(0);
    }
  });

  it('offers a reader no change, and shows nobody a screen without the right to it', async () => {
    const platform = await startPlatform();
    (await platform.kit.clients.create(platform.accountId, { name: 'Booking system' }))._unsafeUnwrap();
    await platform.endpoint('Production');
    await platform.publish(1);
    await platform.attempts(1);

    const { page } = await openPage(platform.baseUrl, platform.session('reader'));
    const changes = /^(Add|Rotate|Rename|Disable|Enable|Revoke|Edit|Delete|Send|Replay|More$|Resume|Try)/;
    const expectNone = async (): Promise<void> => {
      for (const role of ['button', 'link'] as const)
        expect(await page.getByRole(role, { name: changes }).count()).toBe(0);
    };
    await page.goto(platform.portalUrl);
    await page.getByText('All webhooks deliver.').waitFor();
    await expectNone();
    await goTo(page, 'API keys');
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    await expectNone();
    await goTo(page, 'Webhooks');
    await link(page, 'Production').click();
    await link(page.getByRole('group', { name: 'Deliveries' }), 'RequestPayment.payed').waitFor();
    await expectNone();
    await link(page.getByRole('group', { name: 'Deliveries' }), 'RequestPayment.payed').click();
    await page.getByText('Delivered on').waitFor();
    await expectNone();
    await page.goto(`${platform.portalUrl}#/webhooks/new`);
    await link(page, 'Production').waitFor();

    const developer = await openPage(platform.baseUrl, platform.session('developer'));
    await developer.page.goto(`${platform.portalUrl}#/keys`);
    await developer.page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    await goTo(developer.page, 'Webhooks');
    await link(developer.page, 'Production').click();
    await developer.page.getByText('Settings').waitFor();
    expect(await developer.page.getByRole('group', { name: 'Deliveries' }).count()).toBe(0);

    const nobody = await openPage(platform.baseUrl, platform.session('nothing'));
    await nobody.page.goto(platform.portalUrl);
    await nobody.page.getByText('Ask your administrator').waitFor();
  });

  it('leads to the login when the session ends in the middle, and forgets a secret that is shown', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
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
    await readUntil(page, page.getByRole('heading', { name: 'Your session has ended' }));
    expect(await ended).toBe(true);
    expect(await page.locator('code[part=secret]').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');

    const late = await openPage(platform.baseUrl, platform.session('unknown'));
    late.allow(/^alert: Your session has ended/);
    await late.page.goto(platform.portalUrl);
    await late.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });

  it('ends a pause at once when a person resumes a repaired webhook', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    const { endpoint } = await platform.endpoint('Production');
    platform.answer.status = 500;
    // The breaker opens after five failures in a row.
    await platform.publish(5);
    await platform.attempts(5);
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}`);
    await readUntil(page, page.getByText(/Paused until/));
    platform.answer.status = 200;
    await button(page, 'Resume now').click();
    await button(page.locator('dialog'), 'Resume now').click();
    await page.getByText(/Paused until/).waitFor({ state: 'detached' });
    await expect.poll(() => button(page, 'Resume now').count()).toBe(0);
  });

  it('keeps what it shows while the platform is gone, and goes on by itself', async () => {
    const platform = await startPlatform();
    const { page, context, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    const { endpoint } = await platform.endpoint('Production');
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}`);
    await page.getByText(platform.receiverUrl).first().waitFor();
    // The dialogs are loaded while the platform is there.
    await choose(page, 'Disable');
    await button(page, 'Cancel').click();
    allow(/^alert: The platform cannot be reached/);
    await context.setOffline(true);
    await page.clock.runFor(5_000);
    await page.getByText('The platform cannot be reached.').first().waitFor();
    await page.getByText(platform.receiverUrl).first().waitFor();
    await choose(page, 'Disable');
    await button(page.locator('dialog'), 'Disable').click();
    await page.locator('dialog').getByText('The platform cannot be reached.').waitFor();
    await context.setOffline(false);
    await button(page.locator('dialog'), 'Disable').click();
    await page.getByText(/^Disabled by you/).waitFor();
    await page.getByText('The platform cannot be reached.').first().waitFor({ state: 'detached' });

    const broken = await openPage(platform.baseUrl, platform.session('owner'));
    broken.allow(/^alert: The portal cannot be loaded/);
    await broken.page.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
    await broken.page.goto(platform.portalUrl);
    await broken.page.getByText('Something went wrong. Try again.').waitFor();
    await broken.page.unroute('**/api/**');
    await broken.page.clock.runFor(4_000);
    await broken.page.getByRole('heading', { name: 'Bellerive Locations' }).waitFor();
  });

  it('refuses a change of what somebody else changed meanwhile, and says so', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/^alert: Somebody changed it/);
    const { endpoint } = await platform.endpoint('Production');
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}/edit`);
    await page.getByLabel('Label', { exact: true }).fill('Mine');
    (await platform.kit.endpoints.update(platform.accountId, endpoint.id, { label: 'Theirs' }))._unsafeUnwrap();
    await button(page, 'Save').click();
    await page.getByText('Somebody changed it since you opened it.').waitFor();
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Mine');
  });

  it('asks before it searches far back for a filter', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    let asked = 0;
    await page.route('**/api/deliveries?*', (route) => {
      asked += 1;
      return route.fulfill({ json: { items: [], ...(asked < 25 ? { next: `page-${asked}` } : {}) } });
    });
    await page.goto(`${platform.portalUrl}#/deliveries?state=held`);
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
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await platform.endpoint();
    await platform.publish(count);
    const waiting = async (): Promise<number> => {
      const { undispatched, waiting: due } = (
        await platform.kit.deliveries.backlog(platform.accountId)
      )._unsafeUnwrap();
      return undispatched + due;
    };
    await expect.poll(waiting, { timeout: 240_000, interval: 100 }).toBe(0);
    await page.goto(`${platform.portalUrl}#/deliveries`);
    const rows = page.locator('table[data-list=deliveries] tbody tr');
    const seen = new Set<string>();
    for (;;) {
      await rows.first().waitFor();
      const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-key') ?? ''));
      expect(ids.length).toBeLessThanOrEqual(50);
      for (const id of ids) seen.add(id);
      const older = button(page, 'Older');
      if ((await older.getAttribute('aria-disabled')) === 'true') break;
      await older.click();
      await page.locator(`tr[data-key="${ids[0]}"]`).waitFor({ state: 'detached' });
    }
    expect(seen.size).toBe(count);
    await button(page, 'Newer').click();
    await rows.first().waitFor();
    // The whole list, not only what is shown.
    const download = page.waitForEvent('download');
    await button(page, 'Export as JSON lines').click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).id))).toEqual(seen);
  });

  it('says so when the code of a screen is gone, as after a new version of the platform', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/^alert: This screen could not be loaded/);
    await page.route('**/keys.js', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${platform.portalUrl}#/keys`);
    await page.getByText('This screen could not be loaded.').waitFor();
    await page.unroute('**/keys.js');
    await button(page, 'Load the page again').click();
    await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
  });
});
