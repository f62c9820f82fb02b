import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button, choose, takeSecret } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

describe.skipIf(!hasBrowser)('the rights of an API key', () => {
  it('are chosen when it is added, and changed later', async () => {
    const platform = await startPlatform({ hasRequests: true });
    const { kit, accountId, portalUrl } = platform;
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {});
    await page.goto(`${portalUrl}#/keys`);
    await button(page, 'Add an API key').click();
    await page.getByLabel('Name', { exact: true }).fill('Reports');
    await page.getByLabel('Only what I choose').check();
    await button(page, 'Add the key').click();
    await page.getByText('Choose at least one right.').waitFor();
    await page.getByLabel('Payment requests and security deposits').selectOption('Read');
    await page.getByLabel('Cash-outs').selectOption('Read and change');
    await button(page, 'Add the key').click();
    await takeSecret(page);
    await page.getByText('Payment requests and security deposits (Read) and Cash-outs (Read and change)').waitFor();
    const rightsOf = async () => (await kit.clients.list(accountId))._unsafeUnwrap().items.map(({ rights }) => rights);
    expect(await rightsOf()).toContainEqual(['requests:read', 'cash_outs:write']);
    await choose(page, 'Edit');
    expect(await page.getByLabel('Cash-outs').inputValue()).toBe('write');
    await page.getByLabel('Everything').check();
    await button(page, 'Save').click();
    await page.getByText('Rights: Everything').waitFor();
    expect(await rightsOf()).not.toContainEqual(['requests:read', 'cash_outs:write']);
  });

  it('are shown with its other limits; its end is chosen, warned of and taken away', async () => {
    const platform = await startPlatform({ hasRequests: true });
    const { kit, accountId, portalUrl } = platform;
    const limits = { rights: ['requests:read'], children: ['acc_north', 'acc_south'] } as const;
    const { client } = (await kit.clients.create(accountId, { name: 'Reports', ...limits }))._unsafeUnwrap();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {});
    await page.goto(`${portalUrl}#/keys`);
    const card = page.locator(`[data-api-key="${client.id}"]`);
    await card.getByText('Child accounts: acc_north and acc_south').waitFor();
    const open = () => choose(card, 'Edit');
    const end = page.getByLabel('End of the key');
    await open();
    await end.fill('2001-02-03T04:05');
    await button(page, 'Save').click();
    await page.getByText('Choose a time in the future.').waitFor();
    const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    await end.fill(later);
    await button(page, 'Save').click();
    await card.locator('.warning').getByText('No login after').waitFor();
    const endOf = async () => (await kit.clients.find(accountId, client.id))._unsafeUnwrap().expiresAt;
    expect(await endOf()).toBeTypeOf('number');
    await open();
    await page.getByLabel('Name', { exact: true }).fill('Sums');
    await button(page, 'Save').click();
    await card.getByRole('heading', { name: 'Sums' }).waitFor();
    expect(await endOf()).toBeTypeOf('number');
    await open();
    await end.fill('');
    await button(page, 'Save').click();
    await card.locator('.warning').waitFor({ state: 'detached' });
    expect(await endOf()).toBeUndefined();
  });
});
