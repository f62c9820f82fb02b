// Photographs the portal in each of its states, and renews the pictures of the README and the guide.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules/.cache/portal-photographs');
const published = join(root, 'docs/guides/pictures');
const shown = ['home-failing', 'home-failing-dark', 'requests-payment', 'webhook-given-up', 'delivery-waiting'];

const args = ['run', '--mode', 'system', '--project', 'unit', 'packages/portal/test/photographs.system.test.ts'];
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, {
  cwd: root,
  env: { ...process.env, PORTAL_PHOTOGRAPHS: folder },
  stdio: 'inherit',
});
if (status === 0) {
  mkdirSync(published, { recursive: true });
  for (const name of shown) copyFileSync(join(folder, `${name}.png`), join(published, `portal-${name}.png`));
  console.log(`All photographs are in ${folder}.`);
}
process.exitCode = status ?? 1;
