import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { executable } from './chromium.ts';

/** Whether this machine has a browser. Without one, the tests of the portal in a browser are skipped. */
export const hasBrowser = executable !== undefined;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let browser: Promise<Browser> | undefined;
/** One browser for all tests of a file. */
const open = (): Promise<Browser> => {
  browser ??= chromium.launch({
    ...executable,
    // None of the arguments that the npm package names: they switch off what the tests of attacks rely on.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
  return browser;
};

/** Ends the browser; call it after all tests of a file. */
export const closeBrowser = async (): Promise<void> => {
  await (await browser)?.close();
  browser = undefined;
};

/** Reports each alert that a shadow tree ever shows, for however short a time. */
const watchAlerts = `(() => {
  const report = (node) => {
    if (!(node instanceof Element)) return;
    const alerts = [...node.querySelectorAll('[role=alert]'), ...(node.matches('[role=alert]') ? [node] : [])];
    for (const alert of alerts) window.reportAlert(alert.textContent.trim().replace(/\\s+/g, ' '));
  };
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === 'attributes') report(target);
        else for (const node of addedNodes) report(node);
    }).observe(root, { subtree: true, childList: true, attributeFilter: ['role'] });
    return root;
  };
})()`;

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A page with a stopped clock. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Names faults that the test brings about: alerts, errors of scripts, errors of the console, dialogs. */
  readonly allow: (...faults: readonly RegExp[]) => void;
  /** What the page did that no page of the portal may do. The test fails for those that are not allowed. */
  readonly faults: readonly string[];
}

/**
 * A page with the cookie `session`, in a browser profile of its own. Its clock stands still: no timer of the page runs,
 * and nothing is read again, unless the test lets time pass with `page.clock`.
 */
export const openPage = async (baseUrl: string, session = 'owner', options: ContextOptions = {}): Promise<Watched> => {
  const context = await (await open()).newContext({ locale: 'en-GB', timezoneId: 'Europe/Paris', ...options });
  const faults: string[] = [];
  const allowed: RegExp[] = [];
  const unexpected = (): readonly string[] => faults.filter((fault) => !allowed.some((each) => each.test(fault)));
  const add = (fault: string): void => {
    faults.push(fault);
    // The test would wait for what a broken page never shows.
    if (unexpected().length > 0) void context.close();
  };
  onTestFinished(async () => {
    await context.close();
    expect(unexpected(), 'faults of the page').toEqual([]);
  });
  await context.addCookies([{ name: 'session', value: session, url: baseUrl }]);
  const now = Date.now();
  await context.clock.install({ time: now - 1_000 });
  await context.clock.pauseAt(now);
  await context.exposeFunction('reportAlert', (text: string) => add(`alert: ${text}`));
  await context.addInitScript(watchAlerts);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => add(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    void dialog.dismiss();
    add(`dialog: ${dialog.message()}`);
  });
  page.on('console', (message) => {
    // A refused request is logged by the browser itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      add(`console: ${message.text()}`);
  });
  return { page, context, faults, allow: (...more) => void allowed.push(...more) };
};

/** Asserts that axe finds nothing on the page as it is. */
export const expectAccessible = async (page: Page, state: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe.source });
  const expression = `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then((found) =>
    JSON.stringify(found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) =>
      target.join(' ') + ' ' + failureSummary).join('; '))))`;
  let isDone = false;
  const checked = session.send('Runtime.evaluate', { expression, awaitPromise: true }).finally(() => {
    isDone = true;
  });
  // axe waits for timers of the page.
  while (!isDone) await page.clock.runFor(1);
  const { result } = await checked;
  await session.detach();
  expect(JSON.parse(String(result.value)), state).toEqual([]);
};
