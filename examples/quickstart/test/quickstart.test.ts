import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { undiciSender } from '@partnerkit/undici';
import { describe, expect, test } from 'vitest';
import { startHost } from '../host.ts';
import { startPartner } from '../partner.ts';
import { createStory, hold, StepFailed } from '../story.ts';
import { tour } from '../tour.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

const start = (...flags: readonly string[]) => {
  const child = spawn(process.execPath, ['--conditions=source', main, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output, ended };
};

describe.concurrent('the quickstart', () => {
  test('with --once ends with 0 when every step held', async () => {
    const { output, ended } = start('--once');
    expect(await ended, output.err).toBe(0);
    expect(output.out).toContain('Every step held.');
    expect(output.out.match(/^\d+\. /gm)).toHaveLength(10);
    expect(output.err).toBe('');
  });

  test('with --postgres does the same on a real PostgreSQL', async () => {
    const { output, ended } = start('--postgres', '--once');
    expect(await ended, output.err).toBe(0);
    expect(output.out).toContain('The host is Fastify on PostgreSQL 18');
    expect(output.out.match(/^\d+\. /gm)).toHaveLength(10);
    expect(output.err).toBe('');
  });

  test.each(['memory', 'PostgreSQL'])(
    'with --requests lives the life of a deposit on %s, a webhook a step',
    async (database) => {
      const { output, ended } = start('--requests', '--once', ...(database === 'memory' ? [] : ['--postgres']));
      expect(await ended, output.err).toBe(0);
      expect(output.out).toContain(`The host is Fastify on ${database}`);
      expect(output.out).toContain('Every step held.');
      // Each step of a deposit with a dispute, once with the platform and once in its test environment.
      expect(output.out.match(/webhook, signed, answered 204/g)).toHaveLength(26);
      expect(output.err).toBe('');
    },
  );

  test('with --help prints the options; an option that it does not know fails, and prints them as well', async () => {
    const helped = start('--help');
    expect(await helped.ended).toBe(0);
    for (const flag of ['--once', '--postgres', '--requests', '--json']) expect(helped.output.out).toContain(flag);
    for (const wrong of ['--onse', 'once']) {
      const { output, ended } = start(wrong);
      expect(await ended).toBe(2);
      expect(output.out).toBe('');
      expect(output.err).toContain(`'${wrong}'`);
      expect(output.err).toContain('Usage: npm start');
    }
  });

  test.for([[], ['--requests']])(
    'what it prints to try makes a webhook, and Ctrl+C ends it: %j',
    async (flags, { expect }) => {
      const { child, output, ended } = start(...flags);
      await expect.poll(() => output.out, { timeout: 300_000 }).toContain('Ctrl+C ends it.');
      const told = output.out.length;
      const [, command = ''] = /These make a webhook.*\n\n {2}(.*)\n/.exec(output.out) ?? [];
      const made = spawn('bash', ['-c', command], { stdio: 'ignore' });
      expect(await once(made, 'exit')).toEqual([0, null]);
      await expect
        .poll(() => output.out.slice(told), { timeout: 300_000 })
        .toContain('webhook, answered 204:\n{"timestamp":');
      child.kill('SIGINT');
      expect(await ended, output.err).toBe(0);
    },
  );

  test('with --json prints one line, and serves what it names', async () => {
    const { child, output, ended } = start('--json');
    await once(child.stdout, 'data');
    const named: Record<string, string> = JSON.parse(output.out);
    const { baseUrl, jwksUrl, organisationId, childId, grandchildId, parentId, strangerId, clientId, clientSecret } =
      named;
    const login = await fetch(`${baseUrl}/api/v1/partner/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'client_credentials',
        scope: 'USER',
      }),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const statusOf = async (id: string | undefined) =>
      (
        await fetch(`${baseUrl}/api/v1/partner/organisations/${id}/me`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect([await statusOf(organisationId), await statusOf(childId)]).toEqual([200, 200]);
    expect([await statusOf(grandchildId), await statusOf(parentId), await statusOf(strangerId)]).toEqual([
      404, 404, 404,
    ]);
    expect(((await (await fetch(jwksUrl as string)).json()) as { keys: unknown[] }).keys).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output.out.trim().split('\n')).toHaveLength(1);
    expect(output.err).toBe('');
  });

  test('stops at the step that does not hold, and names it', async () => {
    const partner = await startPartner();
    const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: partner.ca });
    const host = await startHost({ port: 0, sender });
    const printed: string[] = [];
    const commitsAnyway = { ...host, markPaid: async () => 'never published' };
    await expect(
      tour(
        createStory((text) => printed.push(text)),
        commitsAnyway,
        partner,
      ),
    ).rejects.toThrow(
      /^The step "The platform marks two payments as paid.*" did not hold: not so: one payment is stored$/,
    );
    expect(printed.at(-1)).toContain('rolled back');
    await host.close();
    await partner.close();
    await sender.close();
  });

  test('a failure that is no Error is told as well', async () => {
    const story = createStory(() => undefined);
    await expect(story.step('a refusal', () => Promise.reject({ code: 'not_found' }))).rejects.toThrow(StepFailed);
    await expect(story.step('a refusal', () => Promise.reject({ code: 'not_found' }))).rejects.toThrow(/not_found/);
    expect(() => hold('water is dry', false)).toThrow('not so: water is dry');
  });
});
