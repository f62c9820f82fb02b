import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { healthText, waitingText } from '../../src/element/health.ts';
import type { Texts } from '../../src/element/i18n.ts';
import type { Endpoint, EndpointStatistics } from '../../src/element/portal.ts';

const folder = new URL('../../src/element/messages/', import.meta.url);

describe.each(readdirSync(folder))('%s', (file) => {
  const messages: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const texts = {
    t: (key: string, values: Readonly<Record<string, string>> = {}) =>
      Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), messages[key] ?? ''),
    dateTime: (seconds: number) => `at ${seconds}`,
    duration: (ms: number) => `${ms} ms`,
  } as unknown as Texts;
  const endpoint = {
    kind: 'push',
    health: { status: 'paused', failures: 0, sendingPausedSince: 7, pausedUntil: 9 },
  } as unknown as Endpoint;

  test('a webhook that the platform pauses says since when, and no time at which it goes on', () => {
    const text = healthText(texts, endpoint);
    expect(text).toContain('at 7');
    expect(text).not.toContain('at 9');
    const statistics = { waiting: 2, held: 0, nextAttemptAt: 1 } as unknown as EndpointStatistics;
    expect(waitingText(texts, endpoint, statistics)).toBe(messages['health.wait']?.replace('{count}', '2'));
  });
});
