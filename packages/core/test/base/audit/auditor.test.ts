import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/base/audit/audit-entry.ts';
import { createAuditor } from '../../../src/base/audit/auditor.ts';
import { testClock } from '../../support/clock.ts';
import { sealingKeys } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

const auditor = (keys: readonly { readonly key: Uint8Array }[] = sealingKeys) =>
  createAuditor(keys, testClock(), seededRandom());
const by = { type: 'user', id: 'u1' } as const;
const made = (): AuditEntry => ({
  ...auditor().entry({
    accountId: 'acc_a',
    type: 'key.added',
    subjectId: 'key_1',
    by,
    data: { z: 1, a: [{ y: 2, x: 1 }] },
  }),
  at: 1_700_000_000_123,
});
const start = { position: 0, link: '' };

test('mac and link are HMAC-SHA-256 of the entry as JSON with sorted names, under a key derived from the sealing key', () => {
  const key = new Uint8Array(
    hkdfSync('sha256', new Uint8Array(32).fill(1), new Uint8Array(), 'partnerkit audit HMAC-SHA-256 v1', 32),
  );
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('base64');
  const entry = made();
  const text = `["${entry.id}","acc_a","key.added","key_1",{"id":"u1","type":"user"},null,{"a":[{"x":1,"y":2}],"z":1}]`;
  const mac = hmac(`entry ${text}`);
  expect(entry.mac).toBe(mac);
  const last = { position: 4, link: 'abc=' };
  const place = { position: 5, link: hmac(`link 5 abc= 1700000000123 ${mac} ${text}`) };
  expect(auditor().place(last, entry)).toEqual(place);
  expect(auditor().follows(last, { ...entry, ...place })).toBe(true);
});

test.each([
  ['id', { id: '01930000-0000-7000-8000-000000000000' }],
  ['account', { accountId: 'acc_b' }],
  ['type', { type: 'key.deleted' }],
  ['subject', { subjectId: 'key_2' }],
  ['actor', { by: { type: 'host' } }],
  ['request', { requestId: 'r1' }],
  ['data', { data: { z: 1, a: [] } }],
] as const)('an entry with another %s is not genuine', (_field, change) => {
  expect(auditor().isGenuine(made())).toBe(true);
  expect(auditor().isGenuine({ ...made(), ...change } as AuditEntry)).toBe(false);
});

test.each([
  ['time', { at: 1_700_000_000_124 }, start],
  ['position', { position: 2 }, start],
  ['entry before it', {}, { position: 0, link: 'x' }],
] as const)('an entry with another %s does not follow', (_field, change, last) => {
  const entry = made();
  const linked = { ...entry, ...auditor().place(start, entry), ...change };
  expect(auditor().follows(last, linked)).toBe(false);
});

test('an earlier key verifies, and a key that the kit does not have does not', () => {
  const entry = made();
  const linked = { ...entry, ...auditor().place(start, entry) };
  const next = { key: new Uint8Array(32).fill(2) };
  const [rotated, replaced] = [auditor([next, ...sealingKeys]), auditor([next])];
  expect([rotated.isGenuine(entry), rotated.follows(start, linked)]).toEqual([true, true]);
  expect([replaced.isGenuine(entry), replaced.follows(start, linked)]).toEqual([false, false]);
});

test('the id of a fact follows from time, account, type, subject and marks alone', () => {
  const of = { accountId: 'acc_a', type: 'due_command.refused', subjectId: 'object_1', by, data: { n: 1 } } as const;
  const { fact } = auditor();
  const { id } = fact(1_700_000_000_123, of, 'rule_1');
  expect(auditor().fact(1_700_000_000_123, { ...of, data: { n: 2 } }, 'rule_1').id).toBe(id);
  const others = [
    fact(1_700_000_000_124, of, 'rule_1'),
    fact(1_700_000_000_123, { ...of, accountId: 'acc_b' }, 'rule_1'),
    fact(1_700_000_000_123, { ...of, type: 'publish.refused' }, 'rule_1'),
    fact(1_700_000_000_123, { ...of, subjectId: 'object_2' }, 'rule_1'),
    fact(1_700_000_000_123, of, 'rule_2'),
    fact(1_700_000_000_123, of),
  ];
  expect(new Set([id, ...others.map((each) => each.id)]).size).toBe(7);
});
