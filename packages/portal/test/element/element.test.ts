import { readdirSync, readFileSync } from 'node:fs';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { requestMachines, requestObjects } from '@partnerkit/core/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTexts } from '../../src/element/i18n.ts';
import { languages } from '../../src/element/later.ts';
import en from '../../src/element/messages/en.json' with { type: 'json' };
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
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

const messagesOf = async (language: string): Promise<Readonly<Record<string, string>>> =>
  (await languages[language]?.())?.default ?? {};
/** Words that are the same in another language, such as names of headers. */
const shared =
  /^(webhooks?|form\.url|event\.test|no|key\.client|filter$|request$|more|webhook\.profile|form\.options|test\.data|session|delivery|attempt\.gap|setting\.label|request\.(headers|size)|replay|catalogue|filter\.|key\.name|rotate\.later|key\.(active|secrets$)|pages$|secret\.id|failure\.|requests\.(description|stay)|request-state\.(error|open))/;

describe('messages', () => {
  it.each(Object.keys(languages))('are complete in %s, with the same values, and translated', async (language) => {
    const messages = await messagesOf(language);
    expect(Object.keys(messages)).toEqual(Object.keys(en));
    const values = (each: string): string[] => [...each.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
    for (const [key, text] of Object.entries(en)) expect(values(messages[key] ?? ''), key).toEqual(values(text));
    const same = Object.entries(en).filter(([key, text]) => messages[key] === text && !shared.test(key));
    expect(same).toEqual([]);
  });

  it('are all used', () => {
    const prefixes =
      /^(problem|detail|outcome|state|health|explain|form\.key-|webhook\.|setting\.|overlap\.|key\.|secret\.|refusal\.|verify\.finding\.|command\.|request-state\.|sending\.|audit\.(type|by-)|requests\.(by-|add-|payment-|security-)|chart\.(day|week|month)$)/;
    const unused = Object.keys(en).filter(
      (key) => !prefixes.test(key) && !code.includes(`'${key.replace(/\.one$/, '')}'`),
    );
    expect(unused).toEqual([]);
  });

  it('say the number of a plural as the language does', async () => {
    const [english, french] = [createTexts('en'), createTexts('fr-CA', await messagesOf('fr'))];
    expect(english.t('replay.done', { count: 1 })).toBe('Done: one delivery is on its way.');
    expect(english.t('replay.done', { count: 1_200 })).toBe('Done: 1,200 deliveries are on their way.');
    expect(french.t('replay.progress', { count: 0 })).toBe('Un envoi jusqu’ici.');
    expect(createTexts('not a language!').t('keys')).toBe('API keys');
  });

  it('have the dates of the reader’s own region, if the reader has the language', () => {
    const day = 1_795_629_480;
    expect(createTexts('en', {}, ['fr-FR', 'en-US']).day(day)).toBe('Nov 25');
    expect(createTexts('en', {}, ['en-GB', 'en-US']).day(day)).toBe('25 Nov');
    expect(createTexts('de', {}, ['en-US']).day(day)).toBe('25. Nov.');
  });

  it('say lengths of time in two units at most', () => {
    const { duration } = createTexts('en-US');
    const lengths = [27, 1_240, 61_000, 312_000, 3_600_000, 90_061_000];
    expect(lengths.map(duration)).toEqual(['27 ms', '1.2 sec', '1 min 1 sec', '5 min 12 sec', '1 hr', '1 day 1 hr']);
  });

  it('call only the whole 100 %', () => {
    const { percent } = createTexts('en-US');
    expect([percent(1), percent(0.99999), percent(0.9696), percent(0)]).toEqual(['100%', '99.9%', '96.9%', '0%']);
  });

  it('say every command and every state of requests, and no other', () => {
    const machines = [requestMachines.payments, requestMachines.deposits, requestMachines.cashOuts];
    const saidBy = (prefix: string): string[] =>
      Object.keys(en).flatMap((key) => (key.startsWith(`${prefix}.`) ? [key.slice(prefix.length + 1)] : []));
    const notCommands = ['details', 'details-of', 'done', 'json', 'request'];
    const commands = new Set(machines.flatMap((machine) => Object.keys(machine.commands)));
    expect(saidBy('command').filter((each) => !notCommands.includes(each))).toEqual([...commands].sort());
    expect(saidBy('request-state')).toEqual([...new Set(machines.flatMap(({ states }) => states as string[]))].sort());
  });

  it('say every rule of a form and every refusal', async () => {
    const kit = createPartnerkit({
      accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
      storage: memoryStorage(),
      tokens: memoryAccessTokens(),
      sender: memorySender(),
      advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
      objects: requestObjects,
    });
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
      for (const detail of details) expect(Object.keys(en)).toContain(`detail.${detail}`);
    }
    const routes = kit.managementRoutes({ authorize: () => undefined });
    const { paths } = kit.openApi({ title: 'Management', routes });
    const codes = [
      ...JSON.stringify(paths).matchAll(/"#\/components\/responses\/\w+","description":"([^"]*)"/g),
    ].flatMap(([, description = '']) => [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code));
    // The portal sends no such requests, and has a message for what is unknown.
    const never = ['unsupported_media_type', 'bad_request', 'internal', 'idempotency_conflict'];
    expect(new Set(codes).size).toBeGreaterThan(15);
    for (const each of new Set(codes)) if (!never.includes(each)) expect(Object.keys(en)).toContain(`problem.${each}`);
  });
});
