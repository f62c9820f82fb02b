import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';

afterAll(closeBrowser);

// The clock of the page stands still: nothing that failed is read again.
describe.skipIf(!hasBrowser)('each screen shows its data with the first answer', () => {
  it.each([
    { locale: 'en-GB', events: 'Events', all: 'Deliveries', filter: 'Apply' },
    { locale: 'fr-FR', events: 'Événements', all: 'Envois', filter: 'Appliquer' },
  ])('$locale', async ({ locale, events, all, filter }) => {
    const platform = await startPlatform();
    (await platform.kit.clients.create('org_main', { name: 'Booking system' }))._unsafeUnwrap();
    const input = { url: platform.receiverUrl, events: ['payed' as const], label: 'Production' };
    const { endpoint } = (await platform.kit.endpoints.create('org_main', input))._unsafeUnwrap();
    await platform.publish(3);
    await platform.state('payment_2', 'delivered');
    const { page } = await openPage(platform.baseUrl, 'owner', { locale });
    const rows = page.locator('tr[data-delivery]');
    const show = (hash: string): Promise<unknown> => page.goto(`${platform.portalUrl}#/${hash}`);

    await show('activity');
    await rows.nth(2).waitFor();
    await page.locator('select[name=state]').selectOption('delivered');
    await page.getByRole('button', { name: filter, exact: true }).click();
    await expect.poll(() => page.url()).toContain('state=delivered');
    await rows.nth(2).waitFor();
    await page.getByRole('button', { name: events, exact: true }).click();
    await page.locator('tr[data-event]').nth(2).waitFor();
    await page.getByRole('button', { name: all, exact: true }).click();
    await rows.nth(2).waitFor();
    await show('keys');
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    await show('webhooks');
    await page.getByRole('button', { name: 'Production' }).waitFor();
    await show(`webhooks/${endpoint.id}`);
    await rows.nth(2).waitFor();
    await page.locator('figure svg').waitFor();
    await rows.first().getByRole('button').click();
    await page.locator('tr.detail li').waitFor();
    await show(`webhooks/${endpoint.id}/edit`);
    await expect.poll(() => page.locator('#label').inputValue()).toBe('Production');
    await show('webhooks/new');
    await page.locator('#url').waitFor();
  });
});
