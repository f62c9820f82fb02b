import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from '../../../packages/portal/test/support/browser.ts';
import { addKey, button } from '../../../packages/portal/test/support/walk.ts';
import { compileCache } from '../../../tools/tests/compile-cache.ts';

afterAll(closeBrowser);

const folder = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** Builds the page as the README says, with the portal of this repository. */
const build = (): void => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [, ...args] = String(scripts.build).split(' ');
  const esbuild = join(dirname(resolve('esbuild/package.json')), 'bin/esbuild');
  // The built portal contains this function of core alone; its entry needs Node.js.
  const ofCore = `--alias:@partnerkit/core/adapter=${join(folder, 'test/core.ts')}`;
  const fromSource = ['--conditions=source', '--ignore-annotations', ofCore];
  execFileSync(esbuild, [...args, ...fromSource, '--log-level=warning'], { cwd: folder });
};

const startServer = async (): Promise<string> => {
  const kept = mkdtempSync(join(tmpdir(), 'partnerkit-example-'));
  const server = spawn(process.execPath, ['--conditions=source', join(folder, 'server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...compileCache,
      PORT: '0',
      DATABASE: join(kept, 'settings.db'),
      PARTNERKIT_SECRET: randomBytes(32).toString('base64'),
    },
  });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    rmSync(kept, { recursive: true });
  });
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
  return String(line).replace('listening on ', '').trim();
};

test.skipIf(!hasBrowser)(
  'a React page shows the portal in the colour of its brand, and hears that a key was added',
  async () => {
    build();
    const address = await startServer();
    const { page } = await openPage(new URL(address).origin);
    await page.goto(address);
    await page.getByText('Keys added since this page was opened: 0').waitFor();
    await button(page, 'Add an API key').waitFor();
    const primary = `document.querySelector('partnerkit-portal').shadowRoot.querySelector('.primary')`;
    expect(await page.evaluate(`getComputedStyle(${primary}).backgroundColor`)).toBe('rgb(10, 127, 90)');
    await addKey(page, 'Booking system');
    await page.getByText('Keys added since this page was opened: 1').waitFor();
  },
);
