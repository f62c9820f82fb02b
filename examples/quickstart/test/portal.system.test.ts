import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from '../../../packages/portal/test/support/browser.ts';
import {
  addKey,
  addWebhook,
  button,
  choose,
  goTo,
  link,
  readUntil,
} from '../../../packages/portal/test/support/walk.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts the quickstart as a person does, and waits until it goes on serving. */
const startQuickstart = async () => {
  const child = spawn(process.execPath, ['--conditions=source', main, '--memory'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await vi.waitUntil(() => out.includes('Ctrl+C ends it.'), { timeout: 240_000 });
  const printed = (pattern: RegExp): string => {
    const [, found] = pattern.exec(out) ?? [];
    if (found === undefined) throw new Error(`Nothing printed fits ${pattern}:\n${out}`);
    return found;
  };
  return {
    portalUrl: printed(/logged in: (\S+)/),
    receiverUrl: printed(/its URL: (\S+)/),
    controls: printed(/break the receiver: curl -s -X POST (\S+)\/break/),
    makesWebhook: printed(/curl -s -X POST (\S+pretend-that-somebody-paid)/),
  };
};

const post = (url: string, body?: string): Promise<Response> =>
  fetch(url, { method: 'POST', ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/plain' } }) });

afterAll(closeBrowser);

describe.skipIf(!hasBrowser)('the portal of the quickstart', () => {
  test('a partner adds a key and a webhook, sees it fail and why, mends its receiver and replays', async () => {
    const { portalUrl, receiverUrl, controls, makesWebhook } = await startQuickstart();
    const { page, allow } = await openPage(portalUrl, 'of-nobody');
    allow(/^alert: Your session has ended/);
    await page.goto(new URL('/partner-portal', portalUrl).href);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect((await fetch(new URL('/log-in?token=wrong', portalUrl))).status).toBe(403);
    await page.goto(portalUrl);

    // The webhook of the tour, with its deliveries.
    await link(page, receiverUrl.replace('https://', '')).click();
    await page.locator('tr', { hasText: 'pay_1' }).getByText('Delivered').waitFor();
    await goTo(page, 'API keys');
    await addKey(page, 'Till');
    const secret = await addWebhook(page, `${receiverUrl}?own`, 'Mine');
    expect((await post(`${controls}/secret`, secret)).status).toBe(200);

    await post(makesWebhook);
    const row = page.locator('table[data-list=deliveries] tbody tr').first();
    await readUntil(page, row.getByText('Delivered', { exact: true }));

    await post(`${controls}/break`);
    await post(makesWebhook);
    await readUntil(page, page.getByText('Failing', { exact: true }));
    await readUntil(page, page.locator('.why', { hasText: 'The receiver answered 503' }));

    await post(`${controls}/mend`);
    await choose(page, 'Replay a period');
    await button(page, 'Replay').click();
    await page.getByText('Done: ').waitFor();
    await button(page, 'Close').click();
    await readUntil(page, page.getByText('The last attempt succeeded'));
  });
});
