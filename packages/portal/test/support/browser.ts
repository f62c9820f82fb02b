import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

/** Whether this machine has a browser. Without one, the tests of the portal in a browser are skipped. */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser)
  console.warn('No Chromium: tests in a browser are skipped. Install the package chromium, or set CHROMIUM_PATH.');

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let browser: Promise<Browser> | undefined;
/** One browser for all tests of a file. */
const open = (): Promise<Browser> => {
  browser ??= chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
  return browser;
};

/** Ends the browser; call it after all tests of a file. */
export const closeBrowser = async (): Promise<void> => {
  await (await browser)?.close();
  browser = undefined;
};

/** What a page does that no page of the portal may do. */
export interface Watched {
  /** Violations of the Content-Security-Policy, errors of scripts and dialogs. */
  readonly faults: readonly string[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A page with the cookie `session`, in a browser profile of its own. */
export const openPage = async (
  baseUrl: string,
  session = 'owner',
  options: ContextOptions = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext } & Watched> => {
  const context = await (await open()).newContext({ locale: 'en-GB', timezoneId: 'Europe/Paris', ...options });
  onTestFinished(() => context.close());
  await context.addCookies([{ name: 'session', value: session, url: baseUrl }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // A refused request is logged by the browser itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`console: ${message.text()}`);
  });
  return { page, context, faults };
};

/** Asserts that axe finds nothing on the page as it is. */
export const expectAccessible = async (page: Page, state: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const expression = `${axe.source};axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then((found) =>
    JSON.stringify(found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) =>
      target.join(' ') + ' ' + failureSummary).join('; '))))`;
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  await session.detach();
  expect(JSON.parse(String(result.value)), state).toEqual([]);
};
