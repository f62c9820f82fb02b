import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { execute, fileOf, newFolder } from './command-line.ts';

const path = (name: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(name)));

/** A module of a platform. `more` are further options of its kit, `exported` further exports. */
const moduleOf = (objects: string, { more = '', exported = '' } = {}): string => `
import { createPartnerkit, defineObject, deprecated } from ${path('@partnerkit/core')};
import { createRequests, requestObjects } from ${path('@partnerkit/core/requests')};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${path('@partnerkit/core/memory')};
import * as wire from ${path('@partnerkit/core/wire')};
import { z } from ${path('zod')};

const kit = createPartnerkit({
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  origin: 'https://api.lagoon.example',
  objects: ${objects},
  ${more}
});
${exported}
export default kit;
`;

/** A platform with payment requests and deposits. */
export const managing = moduleOf('requestObjects', {
  exported: `
    const requests = createRequests({ kit, testEnvironments: ['test'] });
    export const routes = () => [...kit.routes, ...requests.routes];`,
});

/** One that wants each reference once. */
export const managingUnique = managing.replace(
  "testEnvironments: ['test']",
  "testEnvironments: ['test'], uniqueReferences: true",
);

/** A platform with payment requests, whose partners manage their webhooks, too. */
export const managingAll = moduleOf('requestObjects', {
  more: 'api: { webhooks: true },',
  exported: `
    const requests = createRequests({ kit, testEnvironments: ['test'] });
    export const routes = () => [...kit.routes, ...requests.routes];`,
});

/** A platform whose partners manage their webhooks with an access token. */
export const managingWebhooks = moduleOf('requestObjects', { more: 'api: { webhooks: true },' });

/** A marketplace with objects of its own, and a description in French. */
export const marketplace = (more = ''): string =>
  moduleOf(
    `[
      defineObject('Lease', {
        schema: z.object({
          id: z.string(),
          rent: z.number().meta({ description: 'The monthly rent.' }),
          tenant: z.object({ email: z.email(), iban: z.string() }),
        }),
        events: {
          signature: { fields: ['rent'], description: 'A lease was signed.' },
          handover: { fields: ['rent', 'tenant.email'] },
        },
      }),
    ]`,
    {
      more,
      exported: `export const translations = {
        fr: { 'The monthly rent.': 'Le loyer mensuel.', 'A lease was signed.': 'Un bail a été signé.' },
      };`,
    },
  );

/** A platform of which an operation, an event and a field end. */
export const ending = moduleOf(
  `[
    defineObject('Lease', {
      schema: z.object({
        id: z.string(),
        rent: deprecated(z.number().meta({ description: 'The monthly rent.' }), {
          since: Date.UTC(2027, 0, 31),
          instead: 'price.amount',
        }),
      }),
      events: {
        signature: ['rent'],
        handover: {
          fields: ['rent'],
          deprecated: { since: Date.UTC(2027, 0, 31), until: Date.UTC(2027, 6, 31), instead: 'signature' },
        },
      },
    }),
  ]`,
  {
    exported: `
      const memos = kit.accountRoute('GET', '/organisations/:organisationId/memos', async () => ({ status: 204, headers: {}, body: '' }), { right: 'none',
        operation: {
          ...{ operationId: 'listMemos', summary: 'Lists memos', tag: 'Memos', answers: { 204: { description: 'None.' } } },
          deprecated: { since: Date.UTC(2027, 0, 31) },
        },
      });
      export const routes = () => [...kit.routes, memos];
      export const translations = { fr: { 'The monthly rent.': 'Le loyer mensuel.' } };`,
  },
);

/** A platform with operations of its own, one of which has a rule. */
export const describing = moduleOf('[]', {
  exported: `
    const memo = z.object({ id: z.string(), text: z.string().meta({ description: 'What it says.' }) });
    const answers = { 200: { description: 'A memo.', schema: memo } };
    const answer = async () => ({ status: 200, headers: {}, body: '{}' });
    const path = '/organisations/:organisationId/memos';
    const tag = 'Memos';
    export const routes = () => [
      ...kit.routes,
      kit.accountRoute('POST', path, answer, { right: 'none',
        operation: { operationId: 'addMemo', summary: 'Adds a memo', description: 'A memo stays for a year.', tag, answers },
      }),
      kit.accountRoute('GET', path + '/:id', answer, { right: 'none',
        operation: { operationId: 'getMemo', summary: 'Reads a memo', tag, conditional: true, answers },
      }),
    ];`,
});

/** Writes the handbook of a module; resolves to what was printed. */
export const writeHandbook = async (module: string, out: string, ...options: readonly string[]) =>
  execute(['handbook', fileOf(module, 'kit.mjs'), '--out', out, '--name', 'Lagoon', ...options]);

/** A handbook in a folder of its own. */
export const newHandbook = async (module: string, ...options: readonly string[]): Promise<string> => {
  const out = join(newFolder(), 'partners');
  const { exitCode, stderr } = await writeHandbook(module, out, ...options);
  expect([exitCode, stderr]).toEqual([0, '']);
  return out;
};

/** Each file of a folder with its text. */
export const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

/** The blocks of code of a page in a language. */
export const blocksOf = (page: string, language: string): readonly string[] =>
  [...page.matchAll(/^(`{3,})([^\n]*)\n([\s\S]*?)\n\1$/gm)]
    .filter(([, , words = '']) => words.split(' ')[0] === language)
    .map(([, , , code = '']) => code);
