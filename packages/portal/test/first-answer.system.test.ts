import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { goTo } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

// The clock of the page stands still: nothing that failed is read again.
describe.skipIf(!hasBrowser)('each screen shows its data with the first answer', () => {
  it('of a webhook that delivers', async () => {
    const platform = await startPlatform();
    (await platform.kit.clients.create(platform.accountId, { name: 'Booking system' }))._unsafeUnwrap();
    const { endpoint } = await platform.endpoint('Production');
    await platform.publish(3);
    await platform.state('payment_2', 'delivered');
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    const rows = page.locator('table[data-list=deliveries] tbody tr');
    const show = (hash: string): Promise<unknown> => page.goto(`${platform.portalUrl}#/${hash}`);

    await show('');
    await page.getByText('All webhooks deliver.').waitFor();
    await page.locator('table[data-list=webhooks] svg').waitFor();
    await page.locator('.figure', { hasText: '3' }).first().waitFor();
    await goTo(page, 'Deliveries');
    await rows.nth(2).waitFor();
    await page.getByRole('link', { name: 'Delivered', exact: true }).click();
    await expect.poll(() => page.url()).toContain('state=delivered');
    await rows.nth(2).waitFor();
    await rows.first().getByRole('link').first().click();
    await page.locator('.timeline li.good').waitFor();
    await page.getByText('"objectName": "RequestPayment"').waitFor();
    await show('deliveries?show=events');
    await page.locator('table[data-list=events] tbody tr').nth(2).waitFor();
    await show('events');
    await page.locator('[data-event="RequestPayment.payed"]').waitFor();
    await show('keys');
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    await show('webhooks');
    await page.getByRole('link', { name: 'Production' }).waitFor();
    await show(`webhooks/${endpoint.id}`);
    await rows.nth(2).waitFor();
    await page.locator('.plot svg').waitFor();
    await show(`webhooks/${endpoint.id}/edit`);
    await expect.poll(() => page.locator('#label').inputValue()).toBe('Production');
    await show('webhooks/new');
    await page.locator('#url').waitFor();
  });
});
