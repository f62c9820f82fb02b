import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { button, goTo, link, readUntil } from './support/walk.ts';

afterAll(closeBrowser);

describe.skipIf(!hasBrowser)('the requests of an account in a test environment', () => {
  it('are played from the request to the end of a dispute by clicking, and each webhook is seen to arrive', async () => {
    const platform = await startPlatform({ hasRequests: true });
    const events = [...new Set(platform.kit.catalogue.entries.map(({ type }) => type))];
    const input = { url: platform.receiverUrl, events: events as never, label: 'Production' };
    (await platform.kit.endpoints.create(platform.accountId, input))._unsafeUnwrap();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'), {
      viewport: { width: 1200, height: 900 },
    });
    const arrived = (): readonly string[] =>
      platform.receiver.requests.map(({ body }) => String(JSON.parse(String(body)).type));
    const timeline = page.getByRole('list', { name: 'History' }).locator('li');
    const dialog = page.locator('dialog');

    await page.goto(platform.portalUrl);
    await goTo(page, 'Requests');
    await page.getByText('Your systems create them over the API.').waitFor();
    await button(page, 'New payment request').click();
    await button(dialog, 'New payment request').click();
    await page.getByRole('heading', { name: 'Weekend' }).waitFor();
    await button(page, 'The guest pays').click();
    await page.getByText('Done: The guest pays.').waitFor();
    await page.locator('.heading').getByText('Paid').waitFor();
    // With its details: only a part.
    await button(page, 'The platform refunds, with details').click();
    await page.getByLabel('amount', { exact: true }).fill('20');
    await page.getByLabel('reason.code', { exact: true }).fill('late');
    await expectAccessible(page, 'the details of a command');
    await button(dialog, 'The platform refunds').click();
    await timeline.getByText('late').waitFor();
    await page.getByText('€20.00').waitFor();
    await expect.poll(arrived, { timeout: 60_000 }).toEqual(['creation', 'payed', 'update']);
    await readUntil(page, page.locator('table[data-list=events] tbody tr').nth(2).getByText('Delivered'));
    expect(await page.locator('table[data-list=events] tbody th').allInnerTexts()).toEqual([
      'update',
      'payed',
      'creation',
    ]);
    await expectAccessible(page, 'a payment request');

    await link(page, 'Payment requests').click();
    await link(page, 'Deposits').click();
    await button(page, 'New deposit').click();
    await page.getByLabel('depositAmount').fill('300');
    await button(dialog, 'New deposit').click();
    await button(page, 'The guest deposits').click();
    await page.locator('.heading').getByText('In progress').waitFor();
    await button(page, 'Request a cash-out').click();
    await page.getByLabel('amount', { exact: true }).fill('80');
    await button(dialog, 'Request a cash-out').click();
    await page.locator('.heading').getByText('Requested').waitFor();
    await button(page, 'The guest disputes').click();
    await page.locator('.heading').getByText('Disputed').waitFor();
    await button(page, 'Deny the claim').click();
    await button(dialog, 'Deny the claim').click();
    await page.locator('.heading').getByText('Claim denied').waitFor();
    // The version that the page shows is that which the guest accepts.
    await button(page, 'The guest accepts').click();
    await page.locator('.heading').getByText('Accepted').waitFor();
    await expect
      .poll(() => arrived().slice(3), { timeout: 60_000 })
      .toEqual([
        ...['creation', 'deposit_success', 'cashout', 'cashout_reclamation', 'cashout_owner_deny_reclamation'],
        ...['litigation', 'cashout_recipient_accept', 'update'],
      ]);
    await goTo(page, 'Requests');
    await link(page, 'Cash-outs').click();
    await link(page, 'Accepted').click();
    await page.locator('table[data-list=requests] tbody tr').first().waitFor();
    expect(page.url()).toMatch(/#\/requests\?(state=accepted&show=cash-outs|show=cash-outs&state=accepted)$/);
    await expectAccessible(page, 'cash-outs');
    await link(page, 'Settled').click();
    await page.getByText('Nothing matches these filters.').waitFor();
  });

  it('are refused with the reason of the platform, and say so', async () => {
    const platform = await startPlatform({ hasRequests: true });
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/^alert: (The state does not allow this|Correct what you entered)/);
    const call = (path: string, body: object): Promise<{ readonly id: string }> =>
      page.evaluate(
        `fetch('${platform.portalUrl}/api/${path}', { method: 'POST', headers: { 'content-type': 'application/json' },
          body: '${JSON.stringify(body)}' }).then((answer) => answer.json())`,
      );
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    const recipient = { email: 'guest@example.com' };
    const { id } = await call('payment-requests', { name: 'A/B', amount: 10, currency: 'EUR', recipient });
    await page.goto(`${platform.portalUrl}#/requests/${id}`);
    await button(page, 'The payment page is set …').click();
    await page.getByLabel('paymentUrl', { exact: true }).fill('http://pay.example');
    await button(page.locator('dialog'), 'The payment page is set').click();
    await page.locator('dialog').getByText('Correct what you entered.').waitFor();
    await button(page, 'Cancel').click();
    await call(`payment-requests/${id}/cancel`, {});
    // What the page shows is no longer true.
    await button(page, 'The guest pays').click();
    await page.getByText('The state does not allow this any more.').waitFor();
    await page.locator('.heading').getByText('Cancelled').waitFor();
    expect(await button(page, 'The guest pays').count()).toBe(0);

    const reader = await openPage(platform.baseUrl, platform.session('reader'));
    await reader.page.goto(`${platform.portalUrl}#/requests/${id}`);
    await reader.page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await reader.page.getByText('Sandbox').count()).toBe(0);
    expect(await reader.page.locator('.heading button').count()).toBe(0);
  });
});
