import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

describe.skipIf(!hasBrowser)('the usage of an API key', () => {
  it('is shown once it has called', async () => {
    const platform = await startPlatform({});
    const { kit, accountId, portalUrl, baseUrl } = platform;
    const { client, secret } = (await kit.clients.create(accountId, { name: 'Reports' }))._unsafeUnwrap();
    const { page } = await openPage(baseUrl, platform.session('owner'), {});
    await page.goto(`${portalUrl}#/keys`);
    const card = page.locator(`[data-api-key="${client.id}"]`);
    await card.getByText('Never used').waitFor();
    expect(await card.getByText('Last call').count()).toBe(0);

    const login = { client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' };
    const granted = await fetch(`${baseUrl}/api/v1/partner/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    });
    const { access_token: token } = (await granted.json()) as { readonly access_token: string };
    for (let calls = 0; calls < 3; calls++)
      await fetch(`${baseUrl}/api/v1/partner/organisations/${accountId}/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
    await kit.clients.flushUsage();
    await page.reload();
    await card.getByText('3 calls in 30 days').waitFor();
    expect(await card.getByText('Unused for 90 days').count()).toBe(0);
  });
});
