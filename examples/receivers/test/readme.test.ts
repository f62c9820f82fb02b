import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsIn } from './support/events.ts';
import { missing, notInstalled } from './support/missing.ts';
import { run, startProgram } from './support/program.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [settings = '', programs = '', ...others] = [...readme.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(
  ([, commands = '']) => commands,
);
/** Those that sign by hand; the others need a platform. */
const sendings = others.filter((commands) => !commands.includes('@partnerkit/cli'));
/** The commands of the README, with the port and folder of the test. */
const settle = settings.replace('PORT=8080', 'PORT="$PORT"').replace('DATA_DIR=/tmp', 'DATA_DIR="$DATA_DIR"');
const commands = programs.trim().split('\n');

const needsOf = (command: string): readonly string[] =>
  command === 'sh listen.sh' ? ['socat', 'openssl', 'sqlite3'] : [command.replace(/ .*/, '')];

test('it tells how to start each of the six receivers, and two ways to sign', () => {
  expect(settle).toMatch(/PORT="\$PORT" DATA_DIR="\$DATA_DIR"/);
  expect(commands.map((command) => /\S+\.(ts|py|php|go|sh)$/.exec(command)?.[0])).toEqual([
    'express.ts',
    'fastify.ts',
    'receiver.py',
    'receiver.php',
    'receiver.go',
    'listen.sh',
  ]);
  expect(sendings).toHaveLength(2);
});

describe.each(commands)('%s', (command) => {
  const absent = missing(['curl', 'openssl', ...needsOf(command)]);
  if (absent !== undefined) {
    notInstalled(absent, `"${command}" of the README`);
    return;
  }

  test('starts, takes what is signed by hand either way, and works on it once', async () => {
    const data = mkdtempSync(join(tmpdir(), 'partnerkit-readme-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const env = { DATA_DIR: data, WEBHOOK_SECRETS: undefined };
    const { url, stop } = await startProgram(`${settle}${command}`, env);
    onTestFinished(stop);
    for (const sending of sendings) {
      const { ended, output } = run(`${settle}${sending}`, { ...env, PORT: new URL(url).port });
      expect(await ended, output()).toBe(0);
      expect(output()).toMatch(/^HTTP\/1\.[01] 204 /m);
    }
    expect(eventsIn(data).read()).toEqual([['RequestPayment', 'pay_9', 'payed', 1_732_147_200]]);
  });
});
