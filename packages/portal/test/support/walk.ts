import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A button by its whole name. */
export const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });

/** A link by its whole name. */
export const link = (page: Page | Locator, name: string): Locator => page.getByRole('link', { name, exact: true });

/** Goes to a screen by the navigation. */
export const goTo = async (page: Page, screen: string, navigation = 'Partner portal'): Promise<void> => {
  await link(page.getByRole('navigation', { name: navigation }), screen).click();
  // The focus is on the heading once the screen is there.
  await page.locator('h2:focus').waitFor();
};

/** Opens the menu of a webhook or a key, and presses one of its buttons. */
export const choose = async (page: Page | Locator, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More' }).first().click();
  await button(page, name).click();
};

/** Lets the page read again, poll by poll, until it shows what happens elsewhere. */
export const readUntil = async (page: Page, shown: Locator): Promise<void> => {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(5_000);
        return shown.first().isVisible();
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(true);
};

/** Reads the secret that a dialog shows, confirms it and closes the dialog. */
export const takeSecret = async (page: Page): Promise<string> => {
  const secret = ((await page.locator('code[part=secret]').textContent()) ?? '').trim();
  await page.getByLabel('I stored it').check();
  await button(page, 'Done').click();
  await page.locator('code[part=secret]').waitFor({ state: 'detached' });
  return secret;
};

/** Adds an API key; returns its secret. The page must show the keys, or the first steps. */
export const addKey = async (page: Page, name: string): Promise<string> => {
  await button(page, 'Add an API key').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button(page, 'Add the key').click();
  return takeSecret(page);
};

/** Enters a URL into the form of a webhook, and lets the time pass after which the form checks it. */
export const enterUrl = async (page: Page, url: string): Promise<void> => {
  await page.getByLabel('URL', { exact: true }).fill(url);
  await page.clock.runFor(400);
};

/** Adds a webhook for all events of payments; returns its secret. The page shows the webhook then. */
export const addWebhook = async (page: Page, url: string, label = ''): Promise<string> => {
  await goTo(page, 'Webhooks');
  await link(page, 'Add a webhook').click();
  await enterUrl(page, url);
  await page.getByText('This URL is accepted.').waitFor();
  if (label !== '') await page.getByLabel('Label', { exact: true }).fill(label);
  await page.getByLabel('All events of RequestPayment').check();
  await button(page, 'Add a webhook').click();
  const secret = await takeSecret(page);
  await link(page, 'Edit').waitFor();
  return secret;
};

/** All text that the page holds, in every shadow tree, with attributes and values of fields. */
export const everything = (page: Page): Promise<string> =>
  // As text: it runs in the browser.
  page.evaluate(`(() => {
    const parts = [location.href, document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    const visit = (root) => {
      parts.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
      for (const element of root.querySelectorAll('*')) {
        if (element instanceof HTMLInputElement) parts.push(element.value);
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    visit(document);
    return parts.join(' ');
  })()`);

/** All text that the page can still reach: what its scripts hold, too. */
export const heapOf = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
};
