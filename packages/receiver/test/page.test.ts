import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';

const packages = new URL('../../', import.meta.url);
const page = readFileSync(new URL('../../../docs/packages/receiver.md', import.meta.url), 'utf8');
const fences = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) => source);

const secret = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0';

/** What the page says stands for something, or was made by an example before. */
const known: Readonly<Record<string, string>> = {
  webhookSecret: `const webhookSecret = '${secret}';`,
  bookSlowly: 'const bookSlowly = async (id: string): Promise<void> => void id;',
  receiver: `import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
const receiver = createReceiver({ secrets: ['whsec_x'], seen: memorySeenKeys(), on: {} });`,
};

/** Each lives in the package that knows its framework or driver; another package comes from where it lies. */
const examples = fences.map((fence, index) => {
  const folder = /from '@partnerkit\/(express|fastify|web|postgres)'/.exec(fence)?.[1] ?? 'receiver';
  const needed = Object.entries(known).filter(([name]) => fence.includes(name) && !fence.includes(`const ${name} =`));
  const source = [...needed.map(([, line]) => line), fence]
    .join('\n')
    .replaceAll(/'@partnerkit\/(\w+)'/g, (_whole, name) => `'../${name}/src/index.ts'`);
  return { name: `example ${index + 1}, in ${folder}`, folder, source };
});

test('there is one for each framework, three for PostgreSQL, and one for rotation', () => {
  expect(examples.map(({ folder }) => folder)).toEqual([
    ...['express', 'fastify', 'web', 'postgres', 'postgres', 'postgres'],
    'receiver',
  ]);
});

describe('examples start', () => {
  test.each(examples.filter(({ folder }) => folder !== 'postgres'))('$name', async ({ folder, source }) => {
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-'], {
      cwd: fileURLToPath(new URL(`${folder}/`, packages)),
      env: { ...compileCache, WEBHOOK_SECRET: secret, WEBHOOK_SECRETS: `${secret} ${secret}` },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    // Any port that is free.
    child.stdin.end(`${source.replaceAll('3000', '0')}\nprocess.exit(0);`);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

test('the sizes are those that the build allows, in full hundreds', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const allowed = manifest.partnerkit.bundles.map(({ bytes }: { readonly bytes: number }) =>
    (Math.ceil((bytes * 1.05) / 100) * 100).toLocaleString('en'),
  );
  expect(Array.from(page.matchAll(/is at most ([\d,]+) bytes/g), ([, size]) => size)).toEqual(allowed);
});
