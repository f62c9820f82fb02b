import { readdirSync, readFileSync } from 'node:fs';
import { createPartnerkit, type Partnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memorySender, memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTexts } from '../../src/element/i18n.ts';
import en from '../../src/element/messages/en.json' with { type: 'json' };
import fr from '../../src/element/messages/fr.json' with { type: 'json' };
import { type CatalogueObject, pairsSelected, selectorsOf, shareOf } from '../../src/element/selection.ts';

const objects: readonly CatalogueObject[] = [
  { objectName: 'A', events: [{ type: 'creation' }, { type: 'cancel' }] },
  { objectName: 'B', events: [{ type: 'creation' }, { type: 'finish' }] },
];
const selector = fc.constantFrom(
  'creation',
  'cancel',
  'finish',
  'A.creation',
  'A.cancel',
  'B.creation',
  'C.other',
  'other',
);
const selectors = fc.uniqueArray(selector);

describe('the choice of events', () => {
  it('stays the same selection when nothing is changed', () => {
    fc.assert(
      fc.property(selectors, (former) => {
        const pairs = pairsSelected(objects, former);
        const saved = selectorsOf(objects, pairs, former);
        expect(pairsSelected(objects, saved)).toEqual(pairs);
        // Future objects of a selected type, and what the catalogue does not list, stay selected.
        for (const each of former) if (!each.includes('.') || each.startsWith('C')) expect(saved).toContain(each);
      }),
    );
  });

  it('never selects more than what was chosen', () => {
    const pair = fc.constantFrom('A.creation', 'A.cancel', 'B.creation', 'B.finish');
    fc.assert(
      fc.property(fc.uniqueArray(pair), selectors, (chosen, former) => {
        const saved = selectorsOf(objects, new Set(chosen), former);
        expect([...pairsSelected(objects, saved)].sort()).toEqual([...chosen].sort());
      }),
    );
  });

  it('tells all from some and none', () => {
    const [a] = objects;
    if (!a) throw new Error('no object');
    const shares = [[], ['A.cancel'], ['A.cancel', 'A.creation']].map((pairs) => shareOf(a, new Set(pairs)));
    expect(shares).toEqual(['none', 'some', 'all']);
  });
});

const folder = new URL('../../src/element/', import.meta.url);
const code = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

describe('messages', () => {
  it('are the same in every language, with the same values', () => {
    expect(Object.keys(fr)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(en)) {
      const values = (each: string): string[] => [...each.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
      expect(values((fr as Readonly<Record<string, string>>)[key] ?? ''), key).toEqual(values(text));
    }
  });

  it('are all used', () => {
    const prefixes = /^(problem|detail|outcome|state|health|explain|form\.key-|webhook\.|overlap\.|key\.|secret\.)/;
    const unused = Object.keys(en).filter(
      (key) => !prefixes.test(key) && !code.includes(`'${key.replace(/\.one$/, '')}'`),
    );
    expect(unused).toEqual([]);
  });

  it('say the number of a plural as the language does', () => {
    const [english, french] = ['en', 'fr-CA'].map((language) => createTexts(language));
    expect(english?.t('replay.done', { count: 1 })).toBe('Done: one delivery is on its way.');
    expect(english?.t('replay.done', { count: 1_200 })).toBe('Done: 1,200 deliveries are on their way.');
    expect(french?.t('replay.progress', { count: 0 })).toBe('Un envoi jusqu’ici.');
    expect(createTexts('not a language!').t('keys')).toBe('API keys');
  });

  it('say every rule of a form and every refusal in French', async () => {
    const kit: Partnerkit<object, never> = createPartnerkit({
      accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
      storage: memoryStorage(),
      tokens: memoryAccessTokens(),
      sender: memorySender(),
      sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
      objects: [],
    }) as never;
    const right = { url: 'https://a.example', events: ['payed'] };
    const inputs = [
      ...[
        'x',
        'http://a.example',
        'https://a:b@a.example',
        'https://a.example/#x',
        `https://a.example/${'x'.repeat(3_000)}`,
      ].map((url) => ({ ...right, url })),
      { ...right, events: [] },
      { ...right, label: 'a\u0000' },
      { ...right, deliveryHeader: { name: 'a b', value: 'x' } },
      { ...right, deliveryHeader: { name: 'host', value: 'x' } },
      { ...right, deliveryHeader: { name: 'X-Key', value: 'é' } },
    ];
    for (const input of inputs) {
      const refused = (await kit.endpoints.create('org', input as never))._unsafeUnwrapErr();
      const details = 'errors' in refused ? refused.errors.map(({ detail }) => detail) : [];
      expect(details.length, JSON.stringify(input)).toBeGreaterThan(0);
      for (const detail of details) expect(Object.keys(fr)).toContain(`detail.${detail}`);
    }
    const routes = kit.managementRoutes({ authorize: () => undefined });
    const { components } = kit.openApi({ title: 'Management', routes });
    const codes = Object.values(components.responses).flatMap((response) =>
      [...String((response as { readonly description?: string }).description).matchAll(/`(\w+)`/g)].map(
        ([, code = '']) => code,
      ),
    );
    // The portal sends no such requests, and has a message for what is unknown.
    const never = ['unsupported_media_type', 'bad_request', 'internal'];
    expect(new Set(codes).size).toBeGreaterThan(15);
    for (const each of new Set(codes)) if (!never.includes(each)) expect(Object.keys(fr)).toContain(`problem.${each}`);
  });
});
