import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missing } from './support/missing.ts';
import { run } from './support/program.ts';
import { receiverSuite } from './support/receiver-suite.ts';
import { vectors } from './support/vectors.ts';

const needs = ['openssl', 'sqlite3', 'socat', 'iconv'];

receiverSuite({
  name: 'shell',
  needs,
  start: 'exec sh listen.sh',
  durable: 'lease',
  withoutSecrets: 'ends',
});

test('a web server that hands over no secret gets 500, and why in its log', async () => {
  const { ended, output } = run('exec ./receiver.sh', { REQUEST_METHOD: 'POST', WEBHOOK_SECRETS: undefined });
  expect(await ended).toBe(0);
  expect(output()).toMatch(/^Status: 500 /m);
  expect(output()).toContain('WEBHOOK_SECRETS is not set');
});

/** Forgeries for a receiver whose openssl lacks features. */
const forged = {
  'an empty signature': { HTTP_X_WEBHOOK_SIGNATURE: '' },
  'an empty strong signature': { HTTP_WEBHOOK_SIGNATURE: 'v1,', HTTP_WEBHOOK_ID: 'msg_1' },
  'an empty API key': { HTTP_X_API_KEY: '', HTTP_X_WEBHOOK_SIGNATURE: '', WEBHOOK_API_KEY: 'pk_live_51H8x' },
};
const broken = ['*', '*sha1*', '*sha256*', 'base64*', 'rand*', '*sha1*|*base64*'];

test
  .skipIf(missing(needs))
  .each(broken.flatMap((calls) => Object.entries(forged).map(([what, env]) => ({ calls, what, env }))))(
  'when openssl fails at $calls, $what is not taken for genuine',
  async ({ calls, env }) => {
    const folder = mkdtempSync(join(tmpdir(), 'partnerkit-openssl-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const real = execFileSync('sh', ['-c', 'command -v openssl'], { encoding: 'utf8' }).trim();
    writeFileSync(join(folder, 'openssl'), `#!/bin/sh\ncase $* in ${calls}) exit 1 ;; esac\nexec "${real}" "$@"\n`);
    chmodSync(join(folder, 'openssl'), 0o755);
    const body = '{"timestamp":1732147200,"data":{"id":"forged"},"objectName":"RequestPayment","type":"payed"}';
    const { ended, output } = run(`printf '%s' '${body}' | ./receiver.sh`, {
      PATH: `${folder}:${process.env['PATH']}`,
      DATA_DIR: folder,
      WEBHOOK_SECRETS: vectors.secrets.join(' '),
      REQUEST_METHOD: 'POST',
      CONTENT_LENGTH: String(body.length),
      HTTP_WEBHOOK_TIMESTAMP: 'HTTP_WEBHOOK_ID' in env ? String(Math.floor(Date.now() / 1_000)) : undefined,
      ...env,
    });
    expect(await ended).toBe(0);
    expect(output()).toMatch(/^Status: (401|503) /m);
  },
);
