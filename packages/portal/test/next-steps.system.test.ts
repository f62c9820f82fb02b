import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Answers,
  answer,
  bookingId,
  broken,
  disabledWebhook,
  ending,
  erpId,
  givenUp,
  keyId,
  newcomer,
  now,
  oneDelivery,
  pausedWebhook,
  shownDelivery,
  trouble,
  usual,
} from './support/answers.ts';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button, goTo, link } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

/** A page whose platform answers as given, and what the page changes. */
const open = async (hash: string, answers: Answers, options = {}) => {
  const platform = await startPlatform();
  const opened = await openPage(platform.baseUrl, platform.session('owner'), options);
  const changes: string[] = [];
  await opened.page.clock.setFixedTime(now * 1_000);
  await answer(opened.page, answers, changes);
  await opened.page.goto(`${platform.portalUrl}#/${hash}`);
  return { ...opened, changes };
};
describe.skipIf(!hasBrowser)('the one step that helps', () => {
  it.each([
    ['fails', trouble, 'Try now', `POST deliveries/${broken.last?.deliveryId}/send-again`],
    ['is paused', pausedWebhook, 'Resume now', `POST endpoints/${bookingId}/resume`],
    ['was disabled', disabledWebhook, 'Enable', `POST endpoints/${bookingId}/enable`],
  ])('on Home, for a webhook that %s', async (_state, answers, name, change) => {
    const { page, changes } = await open('', answers);
    const problem = page.locator('.problem');
    await problem.getByText('The receiver answered 503.').waitFor();
    expect(await problem.getByRole('button').allTextContents()).toHaveLength(1);
    await button(problem, name).click();
    await expect.poll(() => changes).toEqual([change]);
  });

  it('for what a webhook gave up: it is sent again once, and said how much', async () => {
    const { page, changes } = await open(`webhooks/${bookingId}`, givenUp);
    await button(page, 'Send the 2 failed again').click();
    await page.getByText('12 deliveries are sent again.').waitFor();
    await button(page, 'Send a test event').waitFor();
    expect(changes).toEqual([`POST endpoints/${bookingId}/recover`]);
    // In the log it still failed; there is nothing to send again.
    await page.reload();
    await page.getByText('Given up').waitFor();
    await button(page, 'Send a test event').waitFor();
  });

  it('of a newcomer is a key, then a webhook', async () => {
    const { page } = await open('', newcomer);
    const primary = page.locator('.steps .primary');
    await primary.waitFor();
    expect((await primary.allTextContents()).map((text) => text.trim())).toEqual(['Add an API key']);
    const keyed = await open('', { ...newcomer, 'api-keys': usual['api-keys'] ?? {} });
    await keyed.page.locator('.steps li.done').first().waitFor();
    const next = keyed.page.locator('.steps .primary');
    expect((await next.allTextContents()).map((text) => text.trim())).toEqual(['Add a webhook']);
  });

  it('is said with how often each kind of failure happened, over a day, a week and a month', async () => {
    const { page } = await open(`webhooks/${bookingId}`, trouble);
    await page.getByText('38 deliveries wait.').waitFor();
    await page.getByText('Next attempt in 4 mins 12 secs.').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    for (const kind of ['5xx · 31', 'Time-out · 7', 'No connection · 2']) await page.getByText(kind).waitFor();
    await link(page, '30 days').click();
    await page.getByRole('heading', { name: 'Attempts, last 30 days' }).waitFor();
    expect(page.url()).toContain('period=month');
    expect(asked).toContain('?period=30d');
  });
});

describe.skipIf(!hasBrowser)('a delivery', () => {
  it('is copied as a command without what only the receiver knows', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await open(`deliveries/${shownDelivery.id}`, oneDelivery, { permissions });
    await button(page, 'Copy as curl').click();
    await page.getByText('Copied.').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain("curl -sS -X POST 'https://booking.example/hooks/bellerive'");
    expect(copied).toContain("-H 'x-api-key: ••••••'");
    expect(copied).not.toMatch(/signature/);
    // The gaps between the attempts, and the time that is left.
    const points = await page.locator('.timeline li').allInnerTexts();
    expect(points.map((text) => /\d[\w ]* later/.exec(text)?.[0])).toEqual([
      undefined,
      '20 secs later',
      '4 mins 40 secs later',
      undefined,
    ]);
    expect(points.at(-1)).toContain('Next attempt in 4 mins 12 secs');
  });
});

describe.skipIf(!hasBrowser)('what ends', () => {
  it('is said on the webhook that receives it, and on no other', async () => {
    const { page } = await open(`webhooks/${bookingId}`, ending);
    const notice = page.locator('.notice.warning li');
    await expect.poll(() => notice.count()).toBe(2);
    const [ofEvent, ofSignature] = await notice.allInnerTexts();
    expect(ofEvent).toMatch(/^RequestPayment\.cancel: May be gone from .*\. Use RequestPayment\.update\.$/);
    expect(ofSignature).toMatch(
      /^The signature in X-WEBHOOK-SIGNATURE is sent until .*\. Verify another one by then\.$/,
    );
    const other = await open(`webhooks/${erpId}`, ending);
    await other.page.getByRole('heading', { name: 'Settings' }).waitFor();
    await other.page.waitForLoadState('networkidle');
    expect(await other.page.locator('.notice.warning').count()).toBe(0);
  });

  it('has a mark among the events', async () => {
    const { page } = await open('events', ending);
    const marked = page.locator('[data-event]').filter({ hasText: 'Deprecated' });
    await expect.poll(() => marked.count()).toBe(1);
    expect(await marked.getAttribute('data-event')).toBe('RequestPayment.cancel');
  });
});

describe.skipIf(!hasBrowser)('the catalogue', () => {
  it('is searched by name, meaning and field, keeps the search in the address, and says who gets an event', async () => {
    const { page } = await open('events', usual);
    const events = page.locator('[data-event]');
    await expect.poll(() => events.count()).toBe(5);
    await page.getByLabel('Search').fill('currency');
    await expect.poll(() => events.count()).toBe(1);
    expect(page.url()).toMatch(/#\/events\?search=currency$/);
    await page.getByText('payer.language').waitFor();
    await page.getByText('Goes to Booking system, Accounting').waitFor();
    await page.getByLabel('Search').fill('deposit finished');
    await page.getByText('Goes to Booking system').waitFor();
    expect(await page.getByText('Goes to Booking system, Accounting').count()).toBe(0);
    await goTo(page, 'Webhooks');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('deposit finished');
  });
});

describe.skipIf(!hasBrowser)('a task takes few clicks, and no page is loaded', () => {
  /** What a person clicks, beginning on Home. What is typed or pasted is no click; its field is one. */
  const walk = async (
    answers: Answers,
    steps: (page: Page, click: (what: Locator) => Promise<void>) => Promise<void>,
  ) => {
    const { page } = await open('', answers);
    await page.locator('h2').waitFor();
    let [clicks, loads] = [0, 0];
    page.on('load', () => {
      loads += 1;
    });
    await steps(page, async (what) => {
      clicks += 1;
      await what.click();
    });
    expect(loads).toBe(0);
    return clicks;
  };
  const screen = (page: Page, name: string): Locator =>
    link(page.getByRole('navigation', { name: 'Partner portal' }), name);

  it('to find why the webhook of a payment did not arrive, and to send it again', async () => {
    const clicks = await walk(oneDelivery, async (page, click) => {
      await click(screen(page, 'Deliveries'));
      await click(page.getByLabel('Find by object id'));
      await page.keyboard.type('pay_8411');
      await page.keyboard.press('Enter');
      await click(link(page, 'RequestPayment.payed').first());
      await page.getByText('Last attempt: The receiver answered 503.').waitFor();
      await click(button(page, 'Send again'));
      await page.getByText('The delivery is sent again.').waitFor();
    });
    expect(clicks).toBe(4);
  });

  it('to rotate a secret, to verify a signature, to recover after an outage, to see which key is used', async () => {
    const made = { key: { id: 'k', name: 'Booking system' }, secretId: 's', secret: 'sk_new' };
    const rotated = { ...usual, [`POST api-keys/${keyId}/secrets`]: made };
    const rotation = await walk(rotated, async (page, click) => {
      await click(button(page, 'Rotate the secret'));
      await click(button(page, 'Make a new secret'));
      await page.getByText('sk_new').waitFor();
      await click(page.getByLabel('I stored it'));
      await click(button(page, 'Done'));
    });
    const verification = await walk(usual, async (page, click) => {
      await click(screen(page, 'Verify'));
      await click(page.getByLabel('Request', { exact: true }));
      await page.keyboard.insertText('X-WEBHOOK-SIGNATURE: 0\n\n{}');
      await click(page.getByLabel('Webhook secret'));
      await page.keyboard.insertText('whsec_x');
      await page.keyboard.press('Enter');
      await page.getByText('The signature is not valid.').waitFor();
    });
    const recovery = await walk(givenUp, async (page, click) => {
      await click(link(page, 'Booking system').first());
      await click(button(page, 'Send the 2 failed again'));
      await page.getByText('12 deliveries are sent again.').waitFor();
    });
    const use = await walk(usual, async (page, click) => {
      await click(screen(page, 'API keys'));
      await page.getByText('3 minutes ago').first().waitFor();
    });
    expect({ rotation, verification, recovery, use }).toEqual({ rotation: 4, verification: 3, recovery: 2, use: 1 });
  });
});
