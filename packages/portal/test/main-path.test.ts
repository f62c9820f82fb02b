import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { openPostgres, startPlatform as start } from './support/platform.ts';
import {
  addWebhook,
  button,
  choose,
  enterUrl,
  everything,
  goTo,
  heapOf,
  link,
  readUntil,
  takeSecret,
} from './support/walk.ts';

afterAll(closeBrowser);

/** From memory, as in the other files, and in `npm run test:long` from a server: its contracts hold it to the same. */
const openStorage = sized<() => Promise<Partial<Awaited<ReturnType<typeof openPostgres>>>>>(
  async () => ({}),
  openPostgres,
);

// The other files serve the portal with Fastify.
describe.skipIf(!hasBrowser)('the portal on Express', () => {
  let database: Awaited<ReturnType<typeof openStorage>>;
  beforeAll(async () => {
    database = await openStorage();
  });
  afterAll(() => database.close?.());
  /** A platform with an account that has nothing yet. */
  const startPlatform = () =>
    start({ framework: 'Express', ...(database.storage ? { storage: database.storage } : {}) });

  it('adds an API key whose secret works and is nowhere once it was stored', async () => {
    const platform = await startPlatform();
    const { page, allow } = await openPage(platform.baseUrl, platform.session('owner'));
    allow(/^alert: Store the secret first/);
    await page.goto(platform.portalUrl);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await button(page, 'Add an API key').click();
    await button(page, 'Add the key').click();
    await page.getByText('Fill in this field.').waitFor();
    await button(page, 'Cancel').click();

    await button(page, 'Add an API key').click();
    await page.getByLabel('Name', { exact: true }).fill('Booking system');
    await page.keyboard.press('Enter');
    const shown = page.locator('code[part=secret]');
    await shown.waitFor();
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    await page.getByText('Store the secret first').waitFor();
    const clientId = (await page.locator('dialog code[part=code]').textContent())?.trim();
    const secret = await takeSecret(page);
    expect(await everything(page)).not.toContain(secret);
    const heap = await heapOf(page);
    expect(heap).toContain(clientId);
    expect(heap).not.toContain(secret);

    // The command of the first steps, as a partner runs it.
    const command = (await page.locator('.steps pre').textContent()) ?? '';
    expect(command).toContain(clientId);
    expect(command).not.toContain(secret);
    const env = { ...process.env, CLIENT_SECRET: secret };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, timeout: 30_000 });
    expect(JSON.parse(stdout)).toMatchObject({ token_type: 'Bearer' });
    await goTo(page, 'API keys');
    await page.reload();
    await page.getByRole('heading', { name: 'Booking system' }).waitFor();
    expect(await everything(page)).not.toContain(secret);

    const login = (clientSecret: string) =>
      fetch(`${platform.baseUrl}/api/v1/partner/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'client_credentials',
          scope: 'USER',
        }),
      });
    expect((await login(secret)).status).toBe(200);

    await button(page, 'Rotate the secret').click();
    await page.getByLabel('In one hour').check();
    await button(page, 'Make a new secret').click();
    const next = await takeSecret(page);
    await page.getByText('2 secrets').click();
    await page.getByText('No end').waitFor();
    expect((await login(next)).status).toBe(200);
    expect((await login(secret)).status).toBe(200);

    await button(page, `Revoke the secret ${secret.split('_')[1]}`).click();
    await button(page.locator('dialog'), 'Revoke').click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await login(secret)).status).toBe(401);

    await choose(page, 'Disable');
    await button(page.locator('dialog'), 'Disable').click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect((await login(next)).status).toBe(401);
    await choose(page, 'Enable');
    await button(page.locator('dialog'), 'Enable').click();
    await page.getByText('Active', { exact: true }).first().waitFor();
    await expect.poll(async () => (await login(next)).status, { timeout: 30_000 }).toBe(200);
    await choose(page, 'Delete');
    await button(page.locator('dialog'), 'Delete').click();
    await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
    await expect.poll(async () => (await login(next)).status, { timeout: 30_000 }).toBe(401);
  });

  it('creates a webhook, sends a test, shows why it fails, and sends again', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.portalUrl}#/webhooks/new`);
    await enterUrl(page, 'http://partner.example/');
    await page.getByText('The URL must begin with https://.').waitFor();
    await enterUrl(page, 'https://10.0.0.1/');
    await page.getByText('This address is not public.').waitFor();
    await button(page, 'Add a webhook').click();
    await page.getByText('Choose at least one event.').waitFor();

    await addWebhook(page, platform.receiverUrl, 'Production');
    await button(page, 'Send a test event').click();
    await button(page, 'Send the test event').click();
    await platform.attempts(1);
    // The page may be reading what was true before the attempt: then it reads again after its pause.
    const answered = async (): Promise<boolean> => {
      await page.clock.runFor(700);
      return page.locator('dialog').getByText('The receiver answered 200').isVisible();
    };
    await expect.poll(answered, { timeout: 30_000 }).toBe(true);
    expect(platform.receiver.requests).toHaveLength(1);
    await button(page, 'Close').click();

    Object.assign(platform.answer, { status: 500, body: 'The database is down.' });
    await platform.publish(1);
    await platform.attempts(2);
    await readUntil(page, page.getByText('Failing', { exact: true }));
    const why = page.locator('.why');
    await why.getByText('The receiver answered 500').waitFor();
    await why.getByText('The database is down.').waitFor();
    expect(await why.locator('time').textContent()).toMatch(/ \d{4}, \d{1,2}:\d{2}:\d{2} CES?T$/);
    await page.getByText('One delivery waits.').waitFor();
    await page
      .getByText(/Next attempt/)
      .first()
      .waitFor();
    await goTo(page, 'Webhooks');
    await why.getByText('The receiver answered 500').waitFor();
    await goTo(page, 'Home');
    const problem = page.locator('.problem');
    await problem.getByText('The database is down.').waitFor();
    await link(problem, 'See the delivery').click();
    await page.getByText('Last attempt: The receiver answered 500.').waitFor();
    const delivery = page.url();

    Object.assign(platform.answer, { status: 200, body: 'thanks' });
    await button(page, 'Send again').click();
    await platform.state('payment_0', 'delivered');
    await readUntil(page, page.getByText('Delivered on'));
    // A delivery that is done stays: what is sent again is another one, which has an address of its own.
    await button(page, 'Send again').click();
    await expect.poll(() => page.url()).not.toBe(delivery);
    expect(page.url().startsWith(delivery)).toBe(true);
    await platform.state('payment_0', 'delivered', 2);

    await goTo(page, 'Webhooks');
    await link(page, 'Production').click();
    await choose(page, 'Replay a period');
    await button(page, 'Replay').click();
    await page.getByText('Done: one delivery is on its way.').waitFor();
    await button(page, 'Close').click();
    await platform.state('payment_0', 'delivered', 3);
    const bodies = platform.receiver.requests.slice(1).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
  });

  it('rotates the secret of a webhook in two steps, edits, disables and deletes it', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(platform.portalUrl);
    const first = await addWebhook(page, platform.receiverUrl);
    await choose(page, 'Rotate the secret');
    await button(page, 'Make the next secret').click();
    const second = await takeSecret(page);
    expect(second).not.toBe(first);
    await button(page, 'Later').click();
    await button(page, 'Continue the rotation').click();
    await button(page, 'Sign with the next secret').click();
    await page.getByText('The next secret signs from now on.').waitFor();
    const content = await everything(page);
    for (const secret of [first, second]) expect(content).not.toContain(secret);

    await link(page, 'Edit').click();
    await page.getByLabel('Label', { exact: true }).fill('Renamed');
    await page.getByLabel('cancel A payment').uncheck();
    await page.getByLabel('Send this header').check();
    await page.getByLabel('Value', { exact: true }).fill('s3cr3t-value');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByText('X-API-Key: ••••').waitFor();
    expect(await everything(page)).not.toContain('s3cr3t-value');
    const [endpoint] = (await platform.kit.endpoints.list(platform.accountId))._unsafeUnwrap().items;
    expect(endpoint?.events).not.toContain('RequestPayment.cancel');
    expect(endpoint?.events).toContain('RequestPayment.payed');

    await choose(page, 'Disable');
    await button(page.locator('dialog'), 'Disable').click();
    await page.getByText(/^Disabled by you/).waitFor();
    await button(page, 'Enable').click();
    await button(page.locator('dialog'), 'Enable').click();
    await page.getByText('Delivering', { exact: true }).waitFor();
    await choose(page, 'Delete');
    await button(page.locator('dialog'), 'Delete').click();
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
  });

  it('filters deliveries and events, keeps the filters in the address, and exports what it shows', async () => {
    const platform = await startPlatform();
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await platform.endpoint('Production');
    await platform.publish(3);
    await platform.attempts(3);
    await page.goto(`${platform.portalUrl}#/deliveries`);
    const rows = page.locator('table[data-list=deliveries] tbody tr');
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(3);
    await page.getByLabel('Find by object id').fill('payment_1');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    expect(page.url()).toContain('objectId=payment_1');
    await page.reload();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    const download = page.waitForEvent('download');
    await button(page, 'Export as JSON lines').click();
    const [line, ...more] = readFileSync(await (await download).path(), 'utf8').split('\n');
    expect([JSON.parse(line ?? '').event.objectId, more]).toEqual(['payment_1', ['']]);
    await link(page, 'Remove the filter Object id: payment_1').click();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(3);
    await page.goBack();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    await link(page, 'Given up').click();
    await page.getByText('Nothing matches these filters.').waitFor();
    await link(page, 'Clear').click();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(3);

    await link(page, 'Published events').click();
    await page.locator('table[data-list=events] tbody tr a').first().click();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    expect(page.url()).toContain('eventId=');
  });
});
