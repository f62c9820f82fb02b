import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { authority, startReceiver } from './loopback.ts';

const program = fileURLToPath(new URL('idle-process.ts', import.meta.url));

test('an idle socket does not keep the process alive: the default sender needs no close', async () => {
  const { port, requests } = await startReceiver();
  const env = { PATH: process.env['PATH'], CERTIFICATE: authority.certificate };
  const run = promisify(execFile)(process.execPath, ['--conditions=source', program], {
    env: { ...env, URL_OF_RECEIVER: `https://127.0.0.1:${port}/` },
  });
  const { kind, active } = JSON.parse((await run).stdout);
  expect(kind).toBe('answered');
  expect(requests).toHaveLength(1);
  expect(active.filter((resource: string) => /^(TCP|TLS|Timeout)/.test(resource))).toEqual([]);
});
