import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { execute, fileOf, newFolder } from './command-line.ts';
import {
  blocksOf,
  describing,
  ending,
  filesOf,
  managing,
  managingWebhooks,
  marketplace,
  newHandbook,
  writeHandbook,
} from './handbook-platform.ts';

type Files = Readonly<Record<string, string>>;

/** The prose of a page: without code, front matter and the marks of places. */
const proseOf = (page: string): readonly string[] =>
  page
    .replace(/```[\s\S]*?```/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/`[^`]*`/g, '')
    .split(/[|\n]|(?<=[.:])\s/)
    .map((text) => text.trim());

const assertNoEnglish = (en: Files, fr: Files): void => {
  const english = new Set(Object.values(en).flatMap(proseOf));
  for (const [file, page] of Object.entries(fr)) {
    const left = proseOf(page).filter((text) => /[A-Za-z]+ .*[A-Za-z]+ /.test(text) && english.has(text));
    expect(left, file).toEqual([]);
    expect(proseOf(page).join('\n'), file).not.toMatch(/\b(the|its|which|when|with)\b/);
  }
};

test('the handbook of a platform with webhooks by key has each of their operations, in each language', async () => {
  const out = await newHandbook(managingWebhooks, '--language', 'en,fr');
  const [en = {}, fr = {}] = ['en', 'fr'].map((language) => filesOf(join(out, language)));
  for (const page of [en, fr]) {
    for (const operation of ['POST', 'GET'])
      expect(page['operations.md']).toContain(
        `\`${operation} /api/v1/partner/organisations/{organisationId}/webhooks\` | `,
      );
    expect(page['start.md']).toMatch(
      /export PARTNER_API=https:\/\/api\.lagoon\.example\/api\/v1\/partner .*\n.*\nnpx @partnerkit\/cli listen --forward-to /,
    );
  }
  assertNoEnglish(en, fr);
});

describe('the handbook of a platform with requests', () => {
  let [en, fr]: [Files, Files] = [{}, {}];
  beforeAll(async () => {
    const out = await newHandbook(managing, '--language', 'en,fr');
    [en, fr] = [filesOf(join(out, 'en')), filesOf(join(out, 'fr'))];
  });

  test('has a page for each topic in each language, and none for changes that there are not', () => {
    const names = [
      'start',
      'login',
      'accounts',
      'operations',
      'requests',
      'objects',
      'events',
      'signature',
      'retries',
      'errors',
    ];
    const expected = [...[...names, 'sandbox'].map((name) => `${name}.md`), 'llms.txt', 'llms-full.txt'].toSorted();
    expect([Object.keys(en).toSorted(), Object.keys(fr).toSorted()]).toEqual([expected, expected]);
  });

  test('each page has front matter with title, description and its place in the order', () => {
    expect(en['retries.md']).toMatch(
      /^---\ntitle: "Retries and limits"\ndescription: "What Lagoon does after each answer, and the limits in force."\norder: 10\n---\n/,
    );
    for (const [file, page] of Object.entries(fr))
      if (file.endsWith('.md')) expect(page, file).toMatch(/^---\ntitle: ".+"\ndescription: ".+"\norder: \d+\n---\n/);
  });

  test('French pages have no English sentence left', () => assertNoEnglish(en, fr));

  test('every field, event, operation and code of the kit is on its page', () => {
    for (const page of [en, fr]) {
      // Its partners need webhooks by key for it.
      expect(page['start.md']).not.toContain('listen');
      for (const field of ['recipient.email', 'sums.missing', 'cashOuts[].amount', 'transactions[].breaks'])
        expect(page['objects.md']).toContain(`| \`${field}\` |`);
      expect(page['events.md']?.match(/^\| `(?!timestamp|data|type)[a-z_]+` \| \S/gm)).toHaveLength(32);
      expect(page['operations.md']).toContain('`POST /api/v1/partner/organisations/{organisationId}/payment-requests`');
      expect(page['sandbox.md']).toContain('/simulate/succeed`');
      for (const code of ['missing_token', 'invalid_client', 'wrong_state', 'version_required', 'idempotency_conflict'])
        expect(page['errors.md']).toMatch(new RegExp(`^\\| 4\\d\\d \\| \`${code}\` \\| \\S`, 'm'));
    }
    expect(en['errors.md']).not.toContain('A rule of Lagoon.');
  });

  test('says which values a status has, and what can change in which state', () => {
    const states = '`pending`, `payed`, `refunded`, `cancelled`';
    expect(en['objects.md']).toContain(`| \`status\` | text | yes | One of ${states}. |`);
    expect(fr['objects.md']).toContain(`| \`status\` | texte | oui | L’une de ces valeurs\u00a0: ${states}. |`);
    const fields = '`recipient.name`, `recipient.phone`, `reference`, `metadata`';
    expect(en['operations.md']).toContain(
      `- \`PATCH …/payment-requests/{id}\`: Changes fields (RFC 7396). In the state \`payed\`, \`refunded\` or \`cancelled\`, only these can change: ${fields}.`,
    );
    expect(fr['operations.md']).toContain(
      `Dans l’état \`payed\`, \`refunded\` ou \`cancelled\`, seuls ces champs peuvent changer\u00a0: ${fields}.`,
    );
  });

  test('says which parameters a list takes, and what each operation takes and answers', () => {
    expect(en['operations.md']).toContain('- `GET …/payment-requests/{id}/events` takes `limit`, `after`, `order`.');
    expect(en['operations.md']).toContain('Location: /api/v1/partner/organisations/$ACCOUNT_ID/payment-requests/');
    expect(en['operations.md']).toContain('names the path of the new object in `Location`');
    expect(en['operations.md']).not.toContain('have no `Idempotency-Key`');
    // An object of the webhooks by its page, another one by its fields.
    expect(en['operations.md']).toContain('[RequestPayment](objects.md#requestpayment)');
    expect(en['operations.md']).toContain('| `object` | object |  | A [RequestPayment](');
    expect(en['operations.md']).not.toContain('| `object.recipient` |');
    expect(en['operations.md']).toContain('| `by.type` | one of `client`, `user`, `host`, `rule` |');
    expect(en['sandbox.md']).toMatch(
      /^The body of `POST …\/payment-requests\/\{id\}\/simulate\/refund`(, `[^`\n]+`)*:$/m,
    );
    expect(en['events.md']).toContain('do not overwrite what is newer');
  });

  test('says the address, the schedule and the limits that are in force', () => {
    expect(en['login.md']).toContain('`https://api.lagoon.example/api/v1/partner/login`');
    expect(en['login.md']).not.toContain('address_not_allowed');
    expect(en['retries.md']).toContain('| 10 | 24 hours | 3 days 3 hours |');
    expect(fr['retries.md']).toMatch(/^\| 4 \| 30\sminutes \| 35\sminutes 5\ssecondes \|$/m);
    expect(en['retries.md']).toContain('| Failed logins of one client from one address | 10 in 15 minutes |');
  });

  test('every link leads to a page, and llms.txt lists each of them', () => {
    for (const page of Object.values(en))
      for (const [, file = ''] of page.matchAll(/\]\(([^)#:]+)\)/g)) expect(Object.keys(en)).toContain(file);
    const listed = [...(en['llms.txt'] ?? '').matchAll(/\]\(([a-z]+)\.md\)/g)].map(([, name]) => `${name}.md`);
    expect(listed.toSorted()).toEqual(
      Object.keys(en)
        .filter((file) => file.endsWith('.md'))
        .toSorted(),
    );
    expect(en['llms.txt']).toMatch(/^# Lagoon: handbook for partners\n\n> .+\n\n## Pages\n/);
    for (const title of ['# Log in', '# Events', '# Errors']) expect(en['llms-full.txt']).toContain(`\n${title}\n`);
    expect(en['llms-full.txt']).not.toContain('<!-- yours');
  });

  test('samples show the values of the API, and no key of the kit', () => {
    const samples = blocksOf(en['events.md'] ?? '', 'json').map((text) => JSON.parse(text));
    expect(samples).toHaveLength(4);
    expect(samples[0]).toMatchObject({
      data: { name: 'Week at the lake', status: 'pending' },
      objectName: 'RequestPayment',
    });
  });
});

describe('the handbook of a marketplace', () => {
  test('has its own objects and their events, with their fields and its translations', async () => {
    const out = await newHandbook(marketplace(), '--language', 'fr,en');
    const [en, fr] = [filesOf(join(out, 'en')), filesOf(join(out, 'fr'))];
    expect(en['objects.md']).toContain('| `rent` | number | yes | The monthly rent. |');
    expect(en['objects.md']).toContain('| `tenant.email` | text |  | Only in `handover`. |');
    expect(en['objects.md']).not.toContain('iban');
    expect(en['events.md']).toContain('| `signature` | A lease was signed. |');
    expect(fr['objects.md']).toContain('| `rent` | nombre | oui | Le loyer mensuel. |');
    expect(fr['events.md']).toContain('| `signature` | Un bail a été signé. |');
    expect(blocksOf(en['events.md'] ?? '', 'json').map((text) => JSON.parse(text).data)).toEqual([
      { id: 'example_1', rent: 100 },
      { id: 'example_1', rent: 100, tenant: { email: 'guest@example.com' } },
    ]);
    expect(Object.keys(en)).not.toContain('operations.md');
  });

  test('has the rules of its own operations, and no rule of a header that none of them takes', async () => {
    const en = filesOf(join(await newHandbook(describing), 'en'))['operations.md'] ?? '';
    expect(en).toContain('Other operations have no `Idempotency-Key` in their table.');
    expect(en).toContain('the answer is 304 without a body');
    expect(en).not.toContain('`If-Match`');
    expect(en).not.toContain('in `Location`');
    expect(en).toContain('- `POST …/memos`: A memo stays for a year.');
    expect(en).toContain('| `text` | text | yes | What it says. |');
  });

  test('follows the settings of the kit', async () => {
    const out = await newHandbook(
      marketplace(`
        oauth: { tokenLifetime: 3_600_000 },
        api: { trustRemoteAddress: true },
        limits: { callsPerClient: { points: 600, window: 60_000 } },
        webhooks: {
          maxEndpoints: 3,
          retention: { held: 7 * 86_400_000 },
          signatures: [wire.standardWebhooks(), wire.specificationSignature({ until: Date.UTC(2027, 2, 1) })],
        },`),
      '--server',
      'https://eu.lagoon.example',
    );
    const pages = filesOf(join(out, 'en'));
    expect(pages['login.md']).toContain('A token is valid for 1 hour.');
    expect(pages['login.md']).toContain('a call from elsewhere answers 403 `address_not_allowed`.');
    expect(pages['login.md']).toContain('`https://eu.lagoon.example/api/v1/partner/login`');
    for (const row of [
      'Requests of one client | 600 in 1 minute',
      'Webhooks of an account | 3',
      'disabled webhook | 7 days',
    ])
      expect(pages['retries.md']).toContain(row);
    expect(pages['signature.md']).toContain('## `webhook-id`, `webhook-timestamp`, `webhook-signature`');
    expect(pages['signature.md']).toContain('It ends on 2027-03-01: from then on it is not sent.');
    expect(pages['changes.md']).toContain('| Signature in `X-WEBHOOK-SIGNATURE` | Ends on 2027-03-01.');
    expect(pages['llms.txt']).toContain('[Changes](changes.md)');
  });

  test('names what ends, since when, until when and what replaces it, in each language', async () => {
    const out = await newHandbook(ending, '--language', 'en,fr');
    const [en, fr] = ['en', 'fr'].map((language) => filesOf(join(out, language)));
    for (const row of [
      '| Operation `GET /api/v1/partner/organisations/{organisationId}/memos` | Deprecated since 2027-01-31. |',
      '| Event `Lease.handover` | Deprecated since 2027-01-31, may be gone from 2027-07-31. Use signature. |',
      '| Field `rent` of `Lease` | Deprecated since 2027-01-31. Use price.amount. |',
    ])
      expect(en?.['changes.md']).toContain(row);
    for (const row of [
      '| Événement `Lease.handover` | Obsolète depuis le 2027-01-31, peut disparaître à partir du 2027-07-31. Utilisez signature. |',
      '| Champ `rent` de `Lease` | Obsolète depuis le 2027-01-31. Utilisez price.amount. |',
    ])
      expect(fr?.['changes.md']).toContain(row);
    expect(fr?.['objects.md']).toContain('Obsolète depuis le 2027-01-31. Utilisez price.amount. Le loyer mensuel.');
  });
});

describe('the text of the host', () => {
  const own = 'Our support answers in the app.\r\n\n  <b>Ask $1 for "more" </b>\n\n';
  const begun = '<!-- yours: beginning -->\n';

  /** A handbook with a text of the host on its page about the login. */
  const edited = async () => {
    const out = await newHandbook(marketplace());
    const file = (name: string): string => join(out, 'en', name);
    const change = (name: string, how: (text: string) => string): void =>
      writeFileSync(file(name), how(filesOf(join(out, 'en'))[name] ?? ''));
    change('login.md', (text) => text.replace(begun, () => begun + own));
    return { out, file, change, files: () => filesOf(join(out, 'en')) };
  };

  test('survives byte for byte; a run that has nothing to say writes nothing', async () => {
    const { out, files } = await edited();
    expect(await writeHandbook(marketplace(), out)).toMatchObject({
      exitCode: 0,
      // The file with everything has it now.
      stdout: `Wrote 1 of 11 files to ${out}.\n`,
    });
    const before = files();
    expect(before['login.md']).toContain(`${begun}${own}<!-- /yours -->\n`);
    expect(before['llms-full.txt']).toContain('Our support answers in the app.');
    expect((await writeHandbook(marketplace(), out)).stdout).toBe(`${out} is up to date: 11 files.\n`);
    expect(files()).toEqual(before);
    // A kit that changed changes the pages around it.
    await writeHandbook(marketplace('oauth: { tokenLifetime: 3_600_000 },'), out);
    expect(files()['login.md']).toContain(`${begun}${own}<!-- /yours -->\n`);
    expect(files()['login.md']).toContain('A token is valid for 1 hour.');
  });

  test('outside of the places, it stops the run, and nothing is written', async () => {
    const { out, change, files } = await edited();
    change('retries.md', (text) => text.replace('Answer within', 'Please answer within'));
    const before = files();
    const { exitCode, stderr } = await writeHandbook(marketplace('oauth: { tokenLifetime: 3_600_000 },'), out);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('retries.md was changed outside of its places.')]);
    expect(files()).toEqual(before);
  });

  test('in a place that has no end, or that no page has, it stops the run', async () => {
    for (const [broken, said] of [
      [(text: string) => text.replace('<!-- /yours -->\n', ''), 'has places that do not end'],
      [(text: string) => text.replace('yours: beginning', 'yours: middle'), 'has a text in the place "middle"'],
    ] as const) {
      const { out, change, files } = await edited();
      change('login.md', broken);
      const before = files();
      expect(await writeHandbook(marketplace(), out)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(said),
      });
      expect(files()).toEqual(before);
    }
  });

  test('a place or a page that was deleted is back, and reported', async () => {
    const { out, file, change, files } = await edited();
    const before = files();
    change('errors.md', (text) => text.replace(/<!-- yours: end -->\n<!-- \/yours -->\n/, ''));
    rmSync(file('sandbox.md'));
    const { exitCode, stderr } = await writeHandbook(marketplace(), out);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('errors.md had no place "end": it is back, and empty.');
    expect(stderr).toContain('sandbox.md was deleted: it is written again.');
    expect(files()).toMatchObject({ 'errors.md': before['errors.md'], 'sandbox.md': before['sandbox.md'] });
  });

  test('a page that the handbook no longer has stays, and is reported', async () => {
    const old = marketplace(
      'webhooks: { signatures: [wire.standardWebhooks(), wire.specificationSignature({ until: 4e12 })] },',
    );
    const out = await newHandbook(old);
    const { exitCode, stderr } = await writeHandbook(marketplace(), out);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('changes.md is no longer part of the handbook.')]);
    expect(filesOf(join(out, 'en'))['changes.md']).toContain('2096-10-02');
    expect(filesOf(join(out, 'en'))['llms.txt']).not.toContain('changes.md');
  });
});

test('a file of the host with the name of a page is never overwritten', async () => {
  const out = join(await newHandbook(marketplace()), 'en');
  writeFileSync(join(out, 'start.md'), '# Our own start\n');
  const { exitCode } = await writeHandbook(marketplace(), join(out, '..'));
  expect([exitCode, filesOf(out)['start.md']]).toEqual([1, '# Our own start\n']);
});

test.each([
  ['no folder', ['--name', 'X'], 2, 'handbook needs --out'],
  ['another language', ['--out', 'x', '--language', 'en,xx'], 2, '--language has no "xx". Use en, fr.'],
  ['no URL', ['--out', 'x', '--server', 'lagoon'], 2, '--server needs an http or https URL.'],
] as const)('%s is a wrong command line', async (_what, options, code, said) => {
  const { exitCode, stderr } = await execute(['handbook', fileOf(marketplace(), 'kit.mjs'), ...options]);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(said)]);
});

test('a module without a kit, and a folder that cannot be written, are named', async () => {
  const none = await execute(['handbook', fileOf('export default {};', 'kit.mjs'), '--out', newFolder()]);
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('exports no kit')]);
  const { exitCode, stderr } = await writeHandbook(marketplace(), fileOf('a file'));
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^Cannot write .*ENOTDIR|^Cannot write .*EEXIST/)]);
});
