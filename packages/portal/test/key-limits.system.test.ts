import { generateKeyPairSync } from 'node:crypto';
import type { PublicJwkInput } from '@partnerkit/core';
import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, expectAccessible, hasBrowser, openPage } from './support/browser.ts';
import { closePlatform, startPlatform } from './support/platform.ts';
import { button, choose } from './support/walk.ts';

afterAll(async () => {
  await closeBrowser();
  await closePlatform();
});

/** The public key of RFC 8037, appendix A.2. */
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;
const ec = (kid: string): PublicJwkInput => ({
  ...(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as PublicJwkInput),
  kid,
});

const open = async (options: Parameters<typeof startPlatform>[0], role = 'owner', width = 1_280) => {
  const platform = await startPlatform({ hasRequests: true, ...options });
  const { kit, accountId, portalUrl, baseUrl, session } = platform;
  const create = async (input: Parameters<typeof kit.clients.create>[1]) =>
    (await kit.clients.create(accountId, input))._unsafeUnwrap().client.id;
  const find = async (id: string) => (await kit.clients.find(accountId, id))._unsafeUnwrap();
  const opened = await openPage(baseUrl, session(role), { viewport: { width, height: 900 } });
  const visit = async (id: string) => {
    await opened.page.goto(`${portalUrl}#/keys`);
    const card = opened.page.locator(`[data-api-key="${id}"]`);
    await card.waitFor();
    return card;
  };
  const save = async () => {
    await button(opened.page, 'Save').click();
    await opened.page.locator('dialog').waitFor({ state: 'detached' });
  };
  return { ...opened, kit, accountId, create, find, visit, save };
};

describe.skipIf(!hasBrowser)('the limits of an API key', () => {
  it.each([1_280, 390])('children and networks are chosen, changed and taken away (%i px)', async (width) => {
    const { page, create, find, visit, save } = await open({ hasKeyLimits: true }, 'owner', width);
    const id = await create({ name: 'Auditor' });
    const card = await visit(id);
    const group = (name: string) => page.getByRole('group', { name });
    await choose(card, 'Edit');
    await group('Child accounts').getByLabel('Only these').check();
    await group('Child accounts').getByRole('textbox').fill(' acc_north\n\nacc_south ');
    await button(page, 'Save').click();
    await page.getByText('With chosen child accounts, choose rights').waitFor();
    await group('Rights').getByLabel('Only what I choose').check();
    await group('Rights').getByLabel('Webhooks', { exact: true }).selectOption('Read');
    await button(page, 'Save').click();
    await page.getByText('With chosen child accounts, choose rights').waitFor();
    await group('Rights').getByLabel('Webhooks', { exact: true }).selectOption('No access');
    await group('Rights').getByLabel('Cash-outs').selectOption('Read');
    await group('Networks').getByLabel('Only these').check();
    await button(page, 'Save').click();
    await page.getByText('Enter at least one network.').waitFor();
    await expectAccessible(page, 'limits');
    await group('Networks').getByRole('textbox').fill('203.0.113.0/24\n2001:db8::/32');
    await save();
    await card.getByText('Child accounts: acc_north and acc_south').waitFor();
    await card.getByText('Networks: 203.0.113.0/24 and 2001:db8::/32').waitFor();
    expect(await find(id)).toMatchObject({
      rights: ['cash_outs:read'],
      children: ['acc_north', 'acc_south'],
      networks: ['203.0.113.0/24', '2001:db8::/32'],
    });
    await choose(card, 'Edit');
    expect(await group('Child accounts').getByRole('textbox').inputValue()).toBe('acc_north\nacc_south');
    await group('Child accounts').getByRole('textbox').fill('');
    await group('Networks').getByLabel('From any address').check();
    await save();
    await card.getByText('Child accounts: none').waitFor();
    const changed = await find(id);
    expect([changed.children, 'networks' in changed]).toEqual([[], false]);
    await choose(card, 'Edit');
    await group('Child accounts').getByLabel('All child accounts').check();
    await save();
    await card.getByText('Child accounts').waitFor({ state: 'detached' });
    expect(await find(id)).not.toHaveProperty('children');
  });

  it('a network that the platform refuses is named, and nothing is lost', async () => {
    const { page, allow, create, find, visit } = await open({ hasKeyLimits: true });
    const id = await create({ name: 'Auditor' });
    allow(/^alert: /);
    await choose(await visit(id), 'Edit');
    const networks = page.getByRole('group', { name: 'Networks' });
    await networks.getByLabel('Only these').check();
    await networks.getByRole('textbox').fill('203.0.113.7/24');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('without bits beyond its prefix').waitFor();
    expect(await networks.getByRole('textbox').inputValue()).toBe('203.0.113.7/24');
    expect(await find(id)).not.toHaveProperty('networks');
  });

  it('public keys are shown, added and removed', async () => {
    const { page, create, find, visit, save } = await open({ hasKeyLimits: true });
    const id = await create({ name: 'Booking system', jwks: { keys: [ec('2026'), { ...ed25519, kid: '2027' }] } });
    const kidsOf = async () => (await find(id)).jwks?.keys.map(({ kid }) => kid);
    const card = await visit(id);
    await card.getByText('Public keys: 2026 (ES256) and 2027 (Ed25519)').waitFor();
    await card.getByText('Active', { exact: true }).waitFor();
    await choose(card, 'Edit');
    const add = page.getByLabel('Add public keys');
    for (const wrong of ['-----BEGIN PUBLIC KEY-----', '[]', '{}', '{"keys":[]}', 'null']) {
      await add.fill(wrong);
      await button(page, 'Save').click();
      await page.getByText('This is neither a JWK nor a set of them.').waitFor();
    }
    await add.fill(JSON.stringify({ keys: [ec('2028'), ec('2029')] }));
    await page.getByLabel('2026 (ES256)').uncheck();
    await save();
    await card.getByText('Public keys: 2027 (Ed25519), 2028 (ES256) and 2029 (ES256)').waitFor();
    expect(await kidsOf()).toEqual(['2027', '2028', '2029']);
    await choose(card, 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await save();
    await card.getByRole('heading', { name: 'Till' }).waitFor();
    expect(await kidsOf()).toEqual(['2027', '2028', '2029']);
    await choose(card, 'Edit');
    for (const kid of ['2027 (Ed25519)', '2028 (ES256)', '2029 (ES256)']) await page.getByLabel(kid).uncheck();
    await save();
    await card.getByText('Secrets ended').waitFor();
    expect(await kidsOf()).toBeUndefined();
  });

  it('a key is added with a public key, and shows no secret', async () => {
    const { page, kit, accountId, create, visit } = await open({ hasKeyLimits: true });
    await visit(await create({ name: 'First' }));
    await button(page, 'Add an API key').click();
    await page.getByLabel('Name', { exact: true }).fill('Signed');
    await page.getByLabel('Add public keys').fill(JSON.stringify({ ...ed25519, kid: '2027' }));
    await button(page, 'Add the key').click();
    await page.getByText('Public keys: 2027 (Ed25519)').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    const [, added] = (await kit.clients.list(accountId))._unsafeUnwrap().items;
    expect(added?.secrets).toEqual([]);
  });

  it('networks and public keys are not offered by a platform that cannot check them', async () => {
    const { page, create, visit } = await open({});
    await choose(await visit(await create({ name: 'Auditor' })), 'Edit');
    await page.getByRole('group', { name: 'Child accounts' }).waitFor();
    expect(await page.getByRole('group', { name: /Networks|Public keys/ }).count()).toBe(0);
  });

  it('a person who only reads keys sees the limits, and no menu', async () => {
    const { create, visit } = await open({ hasKeyLimits: true }, 'reader');
    const card = await visit(await create({ name: 'Auditor', networks: ['203.0.113.0/24'] }));
    await card.getByText('Networks: 203.0.113.0/24').waitFor();
    expect(await card.getByRole('button', { name: 'More' }).count()).toBe(0);
  });
});
