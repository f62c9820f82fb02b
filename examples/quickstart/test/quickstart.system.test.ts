import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookCheck } from '@partnerkit/conformance/http-suite';
import { httpsSender } from '@partnerkit/node';
import { describe, expect, test } from 'vitest';
import { memoryDatabase } from '../database.ts';
import { startHost } from '../host.ts';
import { startManagingHost } from '../managing-host.ts';
import { managingTour } from '../managing-tour.ts';
import { startOwnObjectsHost } from '../own-objects-host.ts';
import { startPartner } from '../partner.ts';
import { createSteps } from '../steps.ts';
import { tour } from '../tour.ts';
import { newFolder, start } from './support/start.ts';

describe.concurrent('the quickstart', () => {
  test('with --own does the same with objects of the platform, and no word of the specification', async () => {
    const { output, ended } = start('--own', '--once');
    expect(await ended, output.err).toBe(0);
    expect(output.out.match(/^\d+\. /gm)).toHaveLength(10);
    expect(output.out).toContain('"objectName":"Invoice","type":"settlement"');
    expect(output.out).not.toMatch(/Request(Payment|SecurityDeposit)|payed/);
    expect(output.err).toBe('');
  });

  test.each([
    ['payments', startHost],
    ['own objects', startOwnObjectsHost],
    ['managed deposits', startManagingHost],
  ])('every delivery is in the OpenAPI document: %s', async (_name, startPlatform) => {
    const partner = await startPartner();
    const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: partner.ca });
    const host = await startPlatform({ port: 0, sender, database: memoryDatabase() });
    const silent = createSteps(() => undefined);
    await ('requests' in host ? managingTour(silent, host, partner) : tour(silent, host, partner));
    const check = webhookCheck(host.kit.openApi({ title: 'Partner API' }));
    // The partner is also sent a duplicate and a forgery.
    const events = partner.arrivals.filter(({ headers }) => headers['user-agent'] === 'partnerkit');
    expect(events.length).toBeGreaterThan(2);
    for (const { headers, body } of events) check({ headers, body: body.toString() });
    await host.close();
    await partner.close();
    await sender.close();
  });

  test('with --postgres does the same on a real PostgreSQL', async () => {
    const { output, ended } = start('--postgres', '--once');
    expect(await ended, output.err).toBe(0);
    expect(output.out).toContain('The host is Fastify on PostgreSQL 18');
    expect(output.out.match(/^\d+\. /gm)).toHaveLength(10);
    expect(output.err).toBe('');
  });

  /** The types in the table of the guide, by step. */
  const guideSteps = readFileSync(new URL('../../../docs/guides/car-hire.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, events] = /^\| (\d+) \|.*\|([^|]*)\|$/.exec(line) ?? [];
      return number ? [[number, [...(events ?? '').matchAll(/`(\w+)`/g)].map(([, type]) => type)]] : [];
    });

  test.each(['SQLite', 'PostgreSQL'])(
    'with --requests hires out a car as the guide says, on %s, a webhook a step',
    async (database) => {
      const { output, ended } = start('--requests', '--once', ...(database === 'SQLite' ? [] : ['--postgres']));
      expect(await ended, output.err).toBe(0);
      expect(output.out).toContain(`The host is Fastify on ${database}`);
      expect(output.out).toContain('Every step succeeded.');
      const steps = output.out.split(/^(?=\d+\. )/m).slice(1, 24);
      const received = steps.map((step) => [
        String(Number.parseInt(step, 10)),
        [...step.matchAll(/"objectName":"\w+","type":"(\w+)"/g)].map(([, type]) => type).toSorted(),
      ]);
      expect(received).toEqual(guideSteps);
      // With a second case in its test environment.
      expect(output.out.match(/webhook, signed, answered 204/g)).toHaveLength(34);
      expect(output.err).toBe('');
    },
  );

  test('with --help prints the options; an option that it does not know fails, and prints them as well', async () => {
    const helped = start('--help');
    expect(await helped.ended).toBe(0);
    for (const flag of ['--data', '--memory', '--postgres', '--once', '--requests', '--own', '--json'])
      expect(helped.output.out).toContain(flag);
    for (const wrong of ['--onse', 'once']) {
      const { output, ended } = start(wrong);
      expect(await ended).toBe(2);
      expect(output.out).toBe('');
      expect(output.err).toContain(`'${wrong}'`);
      expect(output.err).toContain('Usage: npm start');
    }
    const both = start('--memory', '--postgres');
    expect(await both.ended).toBe(2);
    expect(both.output.err).toContain('--memory and --postgres: name one database.');
  });

  test.for([['--memory'], ['--requests']])(
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
    const data = join(newFolder(), 'data');
    const { child, output, ended } = start('--json', '--data', data);
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
    expect(readdirSync(join(data, 'payments')).toSorted()).toEqual([
      'partner.db',
      'partner.json',
      'platform.db',
      'platform.json',
    ]);
  });
});
