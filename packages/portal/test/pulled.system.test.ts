import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button, link } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

describe.skipIf(!hasBrowser)('a webhook that a program reads', () => {
  it('tells what is unread, and offers nothing that is only for requests', async () => {
    const platform = await startPlatform();
    const { portalUrl } = platform;
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {});
    await page.goto(`${portalUrl}#/webhooks/new`);
    await page.getByLabel('URL', { exact: true }).waitFor();
    await page.getByLabel('Read by a program').check();
    expect(await page.getByLabel('URL', { exact: true }).count()).toBe(0);
    expect(await page.getByText('Delivery header').count()).toBe(0);
    await page.getByLabel('All events of RequestPayment').check();
    await button(page, 'Add a webhook').click();
    await page.getByText('0 events are unread. Not read yet.').waitFor();
    await page.getByText('Read by a program').waitFor();
    for (const absent of ['Last deliveries', 'Standard Webhooks headers', 'The last attempt succeeded'])
      expect(await page.getByText(absent).count()).toBe(0);
    await button(page, 'More').click();
    const items = await page.locator('partnerkit-menu li').allInnerTexts();
    expect(items.map((text) => text.trim())).toEqual(['Disable', 'Delete']);
    await page.keyboard.press('Escape');
    await link(page, 'Edit').click();
    await button(page, 'Save').waitFor();
    expect(await page.getByText('Standard Webhooks headers').count()).toBe(0);
    await button(page, 'Save').click();
    await page.getByText('0 events are unread.').waitFor();
  });
});
