import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startNginx } from '@partnerkit/workshop/services';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { button, goTo, link } from './support/walk.ts';

afterAll(closeBrowser);

/** A proxy that changes each ETag, as one that compresses does. Returns its origin. */
const startMarking = async (to: string, mark: (etag: string) => string): Promise<string> => {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const asked = request(`${to}${url}`, { method, headers }, (answer) => {
      const { etag, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, { ...others, ...(etag === undefined ? {} : { etag: mark(etag) }) });
      answer.pipe(outgoing);
    });
    incoming.pipe(asked);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
};

const throughNginx = async (to: string): Promise<string> => {
  const nginx = await startNginx({ to: { port: Number(new URL(to).port) }, install: true });
  onTestFinished(nginx.stop);
  return nginx.url;
};

/** Each proxy, with the ETag that the browser gets of version 1. */
const proxies: readonly [string, string, (to: string) => Promise<string>][] = [
  ['nginx that compresses', 'W/"1"', throughNginx],
  [
    'a proxy that marks tags as Apache does',
    '"1-gzip"',
    (to) => startMarking(to, (tag) => tag.replace(/"$/, '-gzip"')),
  ],
];

describe.skipIf(!hasBrowser)('the portal behind', () => {
  it.each(proxies)('%s changes a webhook and a request, each time that it saves', async (_name, first, start) => {
    const platform = await startPlatform({ hasRequests: true });
    const baseUrl = await start(platform.baseUrl);
    const input = { url: platform.receiverUrl, events: ['payed'] as never, label: 'Old name' };
    const { endpoint } = (await platform.kit.endpoints.create(platform.accountId, input))._unsafeUnwrap();
    const { page } = await openPage(baseUrl, platform.session('owner'));
    const sent: string[] = [];
    page.on('response', (answer) => {
      const asked = answer.request();
      const match = asked.headers()['if-match'];
      if (match !== undefined) sent.push(`${asked.method()} ${match} ${answer.status()}`);
    });
    const labels = async () =>
      (await platform.kit.endpoints.find(platform.accountId, endpoint.id))._unsafeUnwrap().label;

    await page.goto(`${baseUrl}/partner-portal#/webhooks/${endpoint.id}`);
    for (const label of ['New name', 'Newer name']) {
      await link(page, 'Edit').click();
      await page.getByLabel('Label', { exact: true }).fill(label);
      await button(page, 'Save').click();
      await page.getByRole('heading', { name: label }).waitFor();
      expect(await labels()).toBe(label);
    }
    await goTo(page, 'Requests');
    await button(page, 'New payment request').click();
    await button(page.locator('dialog'), 'New payment request').click();
    await button(page, 'The guest pays').click();
    await page.locator('.heading').getByText('Paid').waitFor();
    const second = first.replace('1', '2');
    expect(sent).toEqual([`PATCH ${first} 200`, `PATCH ${second} 200`, expect.stringMatching(/^POST .* 200$/)]);
  });
});
