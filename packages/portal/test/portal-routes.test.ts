import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createPartnerkit } from '@partnerkit/core';
import { mountRoutes, routeFinder } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from '#bundle';
import { type PortalOptions, portalRoutes } from '../src/index.ts';

const kit = createPartnerkit({
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
  objects: [],
});

const portal = (options: Partial<PortalOptions> = {}) => {
  const find = routeFinder(
    mountRoutes([...kit.routes, ...portalRoutes(kit, { authorize: () => undefined, ...options })]),
  );
  return (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const route = find(target);
    if (!route) throw new Error(`No route serves ${target}.`);
    return route.handle({ method, target, headers, body: new Uint8Array() });
  };
};

describe('portalRoutes', () => {
  it('serves a page whose style and script are the only ones that its policy allows', async () => {
    const get = portal();
    const { status, headers, body } = await get('/partner-portal');
    expect(status).toBe(200);
    const policy = headers['content-security-policy'] ?? '';
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(body.match(/<script/g)).toHaveLength(1);
    const [, script = ''] = /<script type="module" src="([^"]+)"><\/script>/.exec(body) ?? [];
    const served = await get(script);
    expect(served.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(served.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script).toMatch(/^\/partner-portal\/element\.[0-9a-f]{16}\/portal\.js$/);
  });

  it('serves the element at a path that stays, and answers 304 to who has it', async () => {
    const get = portal();
    const { headers } = await get('/partner-portal/portal.js');
    expect(headers['cache-control']).toBe('no-cache');
    const etag = headers['etag'] ?? '';
    expect((await get('/partner-portal/portal.js', { 'if-none-match': `"other", W/${etag}` })).status).toBe(304);
    expect((await get('/partner-portal/portal.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('loads at most 60 kB first, gzipped, as one module that imports nothing at once', async () => {
    const first = gzipSync(bundle['portal.js']).length;
    const largestLanguage = Math.max(
      ...['de', 'es', 'fr', 'it', 'nl'].map((tag) => gzipSync(bundle[`${tag}.js`] ?? '').length),
    );
    expect(first + largestLanguage).toBeLessThanOrEqual(60_000);
    expect(bundle['portal.js']).not.toMatch(/(^|[;}])import\s*["{*]|\beval\(|new Function/);
  });

  it('serves each module that another one imports, and no screen holds a second copy of what they share', async () => {
    const get = portal();
    const entry = (await get('/partner-portal/portal.js')).body;
    const [, folder = ''] = /"\.\/(element\.[0-9a-f]{16})\/portal\.js"/.exec(entry) ?? [];
    const names = new Set(['portal.js']);
    for (const name of names) {
      const { status, body } = await get(`/partner-portal/${folder}/${name}`);
      expect([name, status]).toEqual([name, 200]);
      for (const [, imported = ''] of body.matchAll(/["']\.\/([\w-]+\.js)["']/g)) names.add(imported);
      if (name !== 'portal.js') expect(body, name).not.toContain('Lit');
    }
    expect([...names].sort()).toEqual(Object.keys(bundle).sort());
    expect(names.size).toBeGreaterThan(10);
  });

  it.each([
    ['fr-CA,en;q=0.8', 'fr'],
    ['de-AT', 'de'],
    ['pl', 'en'],
    ['pl,fr;q=0.5', 'fr'],
    ['fr;q=0', 'en'],
    ['fr;q=0,en', 'en'],
    ['nonsense;;;', 'en'],
    ['', 'en'],
  ])('chooses the language of Accept-Language %j: %s', async (header, language) => {
    const { body, headers } = await portal()('/partner-portal', { 'accept-language': header });
    expect(body).toContain(`<html lang="${language}">`);
    expect(headers['vary']).toBe('accept-language');
  });

  it('writes what the host says as text', async () => {
    const evil = '"><script>attack()</script>';
    const { body } = await portal({
      title: evil,
      loginUrl: `/login?${evil}`,
      apiUrl: `/api?${evil}`,
      messages: { en: { keys: evil } },
    })('/partner-portal');
    expect(body).not.toContain('<script>attack');
  });

  it('has the management API below it, and no other method', async () => {
    const get = portal({ basePath: '/admin/partners' });
    expect((await get('/admin/partners/api/session')).status).toBe(401);
    const posted = await get('/admin/partners', {}, 'POST');
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    [{ frameAncestors: ["https://a.example; script-src 'unsafe-inline'"] }, 'frameAncestors'],
    [{ frameAncestors: ['https://a.example/path'] }, 'frameAncestors'],
    [{ loginUrl: 'javascript:alert(1)' }, 'loginUrl'],
    [{ basePath: '/portal/' }, 'basePath'],
    [{ titel: 'x' }, 'titel'],
    [{ apiUrl: 'data:text/html,x' }, 'apiUrl'],
  ])('refuses the options %j', (options, name) => {
    expect(() => portal(options as Partial<PortalOptions>)).toThrow(name);
  });

  it('is imported without a document, by a server that renders pages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [name, text] of Object.entries(bundle)) writeFileSync(join(folder, name), text);
    // A module that lacks what another one imports of it cannot be linked.
    const script = Object.keys(bundle).map((name) => `await import('./${name}');`);
    writeFileSync(join(folder, 'all.js'), script.join('\n'));
    const child = spawnSync(process.execPath, [join(folder, 'all.js')], { encoding: 'utf8' });
    expect([child.status, child.stderr]).toEqual([0, '']);
  });

  it('has the present types of the management API, and the present fields of an endpoint', () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const args = ['--conditions=source', 'tools/portal-types.mjs', '--print'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    const stored = [
      new URL('../src/element/management-api.ts', import.meta.url),
      new URL('../src/element/endpoint-input.ts', import.meta.url),
    ].map((file) => readFileSync(file, 'utf8'));
    expect(stored.join(''), 'run pnpm run portal:types').toBe(stdout);
  });
});
