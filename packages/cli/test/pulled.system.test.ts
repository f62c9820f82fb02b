import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { startApplication, startPlatform } from './partner-platform.ts';

const command = fileURLToPath(new URL('../src/partnerkit.ts', import.meta.url));
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a process posts events until %s, and deletes its endpoint',
  async (end) => {
    const platform = await startPlatform();
    const { url, events } = await startApplication({ secrets: [secret] });
    const args = ['--conditions=source', command, 'listen', '--forward-to', url];
    const env = { ...compileCache, ...platform.environment, WEBHOOK_SECRET: secret };
    const running = spawn(process.execPath, args, { env });
    onTestFinished(() => void running.kill('SIGKILL'));
    const exited = new Promise((resolve) => running.once('exit', (code) => resolve(code)));
    const until = (stream: NodeJS.ReadableStream, text: string) =>
      new Promise<void>((resolve, reject) => {
        let seen = '';
        stream.on('data', (chunk) => {
          seen += String(chunk);
          if (seen.includes(text)) resolve();
        });
        stream.on('end', () => reject(new Error(seen)));
      });
    const started = until(running.stderr, 'Each event is posted to');
    const posted = until(running.stdout, ' 204 ');
    await started;
    const id = await platform.publish();
    await posted;
    expect(events).toEqual([`RequestPayment.creation ${id}`]);
    running.kill(end);
    expect(await exited).toBe(0);
    expect(await platform.endpoints()).toEqual([]);
  },
);
