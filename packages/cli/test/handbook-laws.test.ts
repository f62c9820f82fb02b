import { join } from 'node:path';
import { codes } from '@partnerkit/core/adapter';
import { requestMachines } from '@partnerkit/core/requests';
import { beforeAll, describe, expect, test } from 'vitest';
import { en as english } from '../src/handbook/texts/en.ts';
import { blocksOf, filesOf, managing, managingAll, managingUnique, newHandbook } from './handbook-platform.ts';

/** The codes of the sessions of the web interface, and of API keys that persons manage: no partner meets them. */
const ofSessions = ['cross_site', 'not_authenticated', 'forbidden', 'too_many_secrets'];

test('each code that a partner can meet has a sentence', () => {
  const wanted = Object.keys(codes).filter((code) => !ofSessions.includes(code));
  expect(wanted.filter((code) => !Object.hasOwn(english, `code.${code}`))).toEqual([]);
});

test('each state of a request has a meaning, and no other', () => {
  const kinds = ['payments', 'deposits', 'cashOuts'] as const;
  const states = kinds.flatMap((kind) => requestMachines[kind].states.map((state) => `state.${kind}.${state}`));
  expect(Object.keys(english).filter((key) => key.startsWith('state.'))).toEqual(states);
});

/** The cells of each row of the tables of a page, without their head. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  page
    .split('\n')
    .filter((line, index, lines) => line.startsWith('| ') && !lines[index + 1]?.startsWith('|---'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ ?\| ?/)
        .map((cell) => cell.trim()),
    );

describe('in the handbook of a platform with everything,', () => {
  let pages: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    pages = filesOf(join(await newHandbook(managingAll), 'en'));
  });

  test('each operation names the right that it needs', () => {
    const rows = rowsOf(`${pages['operations.md']}\n${pages['sandbox.md']}`).filter(([operation = '']) =>
      /^`[A-Z]+ \/api/.test(operation),
    );
    expect(rows.length).toBeGreaterThan(90);
    for (const [operation, _effect, right, , status] of rows) {
      expect(right, operation).toMatch(/^`[a-z_]+:(read|write)`$/);
      expect(status, operation).toMatch(/^20[0-4]$/);
    }
    const names = new Set(rows.map(([, , right]) => right));
    for (const right of names) expect(pages['login.md']).toContain(`| ${right} |`);
  });

  test('each parameter of a list shows its values, and numbers their limits', () => {
    const [, lists = ''] = (pages['operations.md'] ?? '').split('## Lists');
    const rows = rowsOf(lists.split('\n## ')[0] ?? '');
    expect(rows.map(([name]) => name)).toContain('`limit`');
    for (const [name, values] of rows) expect(values, name).not.toBe('');
    expect(rows).toContainEqual(['`limit`', '1 to 100', '`50`', 'Maximum number of items.']);
    expect(rows).toContainEqual([
      '`status`',
      '`pending`, `payed`, `refunded`, `cancelled`',
      '',
      'In one of these states; several have commas between them.',
    ]);
    expect(rows).toContainEqual(['`wait`', '0 to 25', '`0`', 'Seconds to wait for an event when there is none.']);
  });

  test('each value that a field can have has a meaning', () => {
    // Their values are names, and `kind` of an outcome is explained by the fields beside it.
    const named = /^`(?:.*\.)?(?:events|objectName|type|kind|status)`$/;
    const rows = ['operations.md', 'objects.md', 'sandbox.md'].flatMap((page) => rowsOf(pages[page] ?? ''));
    for (const [field = '', type = '', , meaning = ''] of rows) {
      if (!type.startsWith('one of `') || named.test(field)) continue;
      for (const [value] of type.matchAll(/`\w+`/g)) expect(meaning, `${field} ${value}`).toContain(value);
    }
    for (const place of ['#values-of-kind', '#values-of-reason', '#values-of-breaks'])
      expect(pages['operations.md']).toContain(`[these values](${place})`);
    expect(pages['operations.md']).toContain('### Values of `breaks`\n');
    expect(pages['operations.md']).toContain('| `not_pulled_yet` | It waits for your program.');
  });

  test('each command of a request is on the page of its states, with its events', () => {
    const page = pages['requests.md'] ?? '';
    expect(page).toContain(
      '| `deny` | `claimed` | `denied` | `cashout_owner_deny_reclamation`, then `litigation` |  |',
    );
    expect(page).toContain('| `simulate/succeed` | `pending` | `payed` | `payed` | yes |');
    const commands = (['payments', 'deposits', 'cashOuts'] as const).flatMap((kind) =>
      Object.keys(requestMachines[kind].commands),
    );
    expect(
      page.match(/^\| `(?:simulate\/[a-z-]+|[a-z-]+|POST|PATCH)` \| (?:any|`|\|| )/gm)?.length,
    ).toBeGreaterThanOrEqual(commands.length);
  });

  test('the sample of a new webhook answers what was sent', () => {
    const [, sample = ''] = (pages['operations.md'] ?? '').split(
      '### Example: `POST /api/v1/partner/organisations/{organisationId}/webhooks`',
    );
    const [sent, answered] = blocksOf(sample, 'http').map((text) => JSON.parse(text.split('\n\n')[1] ?? ''));
    expect(answered.endpoint).toMatchObject(sent);
  });

  test('the page of webhooks says which operation fits', () => {
    for (const word of ['enable', 'replay', 'resume', 'recover', 'send-again', 'prepare', 'activate', 'hasMore'])
      expect(pages['webhooks.md']).toContain(word);
    expect(pages['signature.md']).toContain('## `webhook-id`, `webhook-timestamp`, `webhook-signature`');
    expect(pages['signature.md']).toContain('is older than 48 days');
    expect(pages['start.md']).toContain('`POST …/webhooks/{endpointId}/test`');
  });
});

test('a reference may be taken only where the platform wants each once', async () => {
  const errors = async (module: string) => filesOf(join(await newHandbook(module), 'en'))['errors.md'];
  expect(await errors(managing)).not.toContain('reference_taken');
  expect(await errors(managingUnique)).toContain('| 409 | `reference_taken` | ');
});

test('French pages have no-break spaces before their marks; code has none, and comments in French', async () => {
  const pages = filesOf(join(await newHandbook(managingAll, '--language', 'fr'), 'fr'));
  for (const [file, page] of Object.entries(pages).filter(([name]) => name.endsWith('.md'))) {
    const code = page.match(/^```[\s\S]*?^```$|`[^`\n]*`/gm) ?? [];
    expect(code.join('\n'), file).not.toContain('\u00a0');
    const comments = code.flatMap((text) => text.match(/(?<=\/\/ |# |\/\*\* |"""|<summary>).+/g) ?? []);
    expect(comments.join('\n'), file).not.toMatch(/\b(the|an|file|with|before|while|time)\b/i);
    const prose = page.replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, 'x');
    expect(prose.match(/ [:;!?](?=\s)/g), file).toBeNull();
  }
});
