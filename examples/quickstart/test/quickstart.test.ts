import { readdirSync } from 'node:fs';
import { httpsSender } from '@partnerkit/node';
import { describe, expect, test } from 'vitest';
import { startHost } from '../host.ts';
import { startPartner } from '../partner.ts';
import { createSteps, expectThat, StepFailed } from '../steps.ts';
import { tour } from '../tour.ts';
import { newFolder, startIn } from './support/start.ts';

describe.concurrent('the quickstart', () => {
  test('with --once ends with 0 when every step held, and leaves no file', async () => {
    const folder = newFolder();
    const { output, ended } = startIn(folder, '--once');
    expect(await ended, output.err).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(output.out).toContain('The host is Fastify on SQLite');
    expect(output.out).toContain('Every step succeeded.');
    expect(output.out.match(/^\d+\. /gm)).toHaveLength(10);
    expect(output.err).toBe('');
  });

  test('stops at the step that does not expectThat, and names it', async () => {
    const partner = await startPartner();
    const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: partner.ca });
    const host = await startHost({ port: 0, sender });
    const printed: string[] = [];
    const commitsAnyway = { ...host, markPaid: async () => 'never published' };
    await expect(
      tour(
        createSteps((text) => printed.push(text)),
        commitsAnyway,
        partner,
      ),
    ).rejects.toThrow(/^The step "The platform marks two payments as paid.*" failed: expected: one of them is stored$/);
    expect(printed.at(-1)).toContain('rolled back');
    await host.close();
    await partner.close();
    await sender.close();
  });

  test('a failure that is no Error is told as well', async () => {
    const steps = createSteps(() => undefined);
    await expect(steps.step('a refusal', () => Promise.reject({ code: 'not_found' }))).rejects.toThrow(StepFailed);
    await expect(steps.step('a refusal', () => Promise.reject({ code: 'not_found' }))).rejects.toThrow(/not_found/);
    expect(() => expectThat('water is dry', false)).toThrow('expected: water is dry');
  });
});
