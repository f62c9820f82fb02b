import { readdirSync, readFileSync } from 'node:fs';
import { failureKinds, type SendFailure } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import { adviceFor, outcomeText } from '../../src/element/explanation.ts';
import type { Texts } from '../../src/element/i18n.ts';
import { session } from '../support/answers.ts';

const folder = new URL('../../src/element/messages/', import.meta.url);
const failures = Object.keys(failureKinds) as SendFailure[];
/** What its receiver can do nothing about. */
const ofPlatform = ['abandoned', 'internal', 'out_of_reach'];

describe.each(readdirSync(folder))('%s', (file) => {
  const messages: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const texts = {
    t: (key: string) => messages[key] ?? '',
    find: (prefix: string, name: string, otherwise: string) => messages[`${prefix}.${name}`] ?? otherwise,
    duration: (ms: number) => `${ms} ms`,
  } as unknown as Texts;
  const portal = { texts, session };
  const outcome = (reason: SendFailure) => ({ kind: 'failed', reason, durationMs: 1, at: 0 }) as const;

  test('each failure has a text of its own', () => {
    const shown = failures.map((reason) => outcomeText(texts, outcome(reason)));
    expect(shown.filter((text, index) => text === failures[index])).toEqual([]);
    expect(new Set(shown).size).toBe(failures.length);
  });

  test('each failure of a receiver has an advice', () => {
    const silent = failures.filter((reason) => adviceFor(portal, outcome(reason)) === '');
    expect(silent.toSorted()).toEqual(ofPlatform);
  });
});
