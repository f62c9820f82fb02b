import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

const label = '<img src=x onerror="document.title=1">';
const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;

/** An account with a webhook whose label is HTML, and a pause of its account by the host. */
const start = async () => {
  const platform = await startPlatform({ isIdle: true });
  const { kit, accountId } = platform;
  const { endpoint } = (await kit.endpoints.create(accountId, hook as never))._unsafeUnwrap();
  (await kit.endpoints.update(accountId, endpoint.id, { label }))._unsafeUnwrap();
  const options = { actor: { type: 'host', id: 'hidden-operator' } } as const;
  (await kit.sending.pause({ accountId }, options))._unsafeUnwrap();
  const open = async (session: string) => {
    const { page } = await openPage(platform.baseUrl, platform.session(session), {});
    return page;
  };
  return { ...platform, endpointId: endpoint.id, open };
};

describe.skipIf(!hasBrowser)('the audit trail', () => {
  it('is a screen for who may read it: the host is the platform, and labels are text', async () => {
    const { open, portalUrl, endpointId } = await start();
    const page = await open('auditor');
    await page.goto(`${portalUrl}#/audit`);
    const rows = page.locator('table[data-list="audit"] tbody tr');
    await rows.getByText('Sending paused').waitFor();
    // Names of what an entry is about are read beside the list.
    await rows.getByRole('link', { name: label }).first().waitFor();
    const told = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(told[0]).toContain('Sending paused All webhooks of the account the platform');
    expect(told[1]).toContain(`Webhook changed label: — → ${label} ${label} the platform`);
    expect(told[2]).toContain(`Webhook added ${label} the platform`);
    expect(await page.content()).not.toContain('hidden-operator');
    expect(await page.locator('partnerkit-portal img').count()).toBe(0);
    await page.goto(`${portalUrl}#/webhooks/${endpointId}`);
    await page.getByText('Paused by the platform since').waitFor();
    expect(await page.locator('[data-pause]').count()).toBe(0);
    const other = await open('owner');
    await other.goto(`${portalUrl}#/audit`);
    await other.getByText('You may not see this').waitFor();
  });
});

describe.skipIf(!hasBrowser)('an operator', () => {
  it('sees who paused since when, pauses a webhook and resumes both', async () => {
    const { kit, open, portalUrl, endpointId } = await start();
    const page = await open('operator');
    await page.goto(`${portalUrl}#/webhooks/${endpointId}`);
    await page.locator('[data-pause="account"]').getByText('hidden-operator').waitFor();
    const confirm = async (name: string) => {
      await button(page, name).click();
      await page.getByRole('dialog').getByRole('button', { name }).click();
    };
    await confirm('Pause this webhook');
    await page.locator('[data-pause="endpoint"]').waitFor();
    await confirm('Resume all webhooks');
    await confirm('Resume this webhook');
    await page.getByText('Sending is not paused.').waitFor();
    expect((await kit.sending.list())._unsafeUnwrap()).toEqual([]);
    await page.getByText('The last attempt succeeded, or there was none.').waitFor();
  });
});
