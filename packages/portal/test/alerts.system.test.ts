import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

describe.skipIf(!hasBrowser)('the address for alerts', () => {
  it('is set, refused when it is none, and removed by who may write', async () => {
    const { kit, accountId, baseUrl, portalUrl, session } = await startPlatform({ isIdle: true });
    const { page } = await openPage(baseUrl, session('alerted'), {});
    await page.goto(portalUrl);
    const stored = async () => (await kit.alerts.findAddress(accountId))._unsafeUnwrap();
    const field = page.getByLabel('E-mail address');
    await page.getByText('Alerts go to nobody.').waitFor();
    await field.fill('desk');
    await button(page, 'Save').click();
    await page.getByText('An e-mail address, without accents.').waitFor();
    expect(await stored()).toBeUndefined();
    await field.fill(' desk@partner.example ');
    await button(page, 'Save').click();
    await page.getByText('Alerts go to desk@partner.example.').waitFor();
    expect(await stored()).toBe('desk@partner.example');
    await expectAccessible(page, 'alerts');
    await field.fill('');
    await button(page, 'Save').click();
    await page.getByText('Alerts go to nobody.').waitFor();
    expect(await stored()).toBeUndefined();
  });

  it('is text for who may read it, and hidden from others', async () => {
    const { kit, accountId, baseUrl, portalUrl, session } = await startPlatform({ isIdle: true });
    (await kit.alerts.setAddress(accountId, 'desk@partner.example'))._unsafeUnwrap();
    const { page } = await openPage(baseUrl, session('auditor'), {});
    await page.goto(portalUrl);
    await page.getByText('Alerts go to desk@partner.example.').waitFor();
    expect(await page.getByLabel('E-mail address').count()).toBe(0);
    await page.goto(`${portalUrl}#/audit`);
    await page.getByText('Address for alerts changed').waitFor();
    const { page: other } = await openPage(baseUrl, session('owner'), {});
    const loaded: string[] = [];
    other.on('request', (request) => loaded.push(request.url().split('/').at(-1) ?? ''));
    await other.goto(portalUrl);
    await other.getByRole('heading', { name: 'Bellerive Locations' }).waitFor();
    await other.getByText('First steps').waitFor();
    expect(await other.locator('[data-alerts]').count()).toBe(0);
    expect(loaded.filter((name) => name.startsWith('alert'))).toEqual([]);
  });
});
