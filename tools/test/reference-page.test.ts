import { describe, expect, it } from 'vitest';
import { withImport, withUnionTable } from '../docs/reference-page.mjs';

describe('what to import', () => {
  const page = '[partnerkit](index.md) / fastify\n\n# fastifyRoutes()\n\n> signature\n';

  it.each([
    ['fastify/functions/fastifyRoutes', "import { fastifyRoutes } from '@partnerkit/fastify';"],
    ['core/adapter/variables/fastifyRoutes', "import { fastifyRoutes } from '@partnerkit/core/adapter';"],
    ['core/interfaces/fastifyRoutes', "import type { fastifyRoutes } from '@partnerkit/core';"],
    ['core/wire/type-aliases/fastifyRoutes', "import type { fastifyRoutes } from '@partnerkit/core/wire';"],
    ['client/classes/fastifyRoutes', "import { fastifyRoutes } from '@partnerkit/client';"],
  ])('%s: %s', (url, line) => {
    expect(withImport(page, { url, name: 'fastifyRoutes' })).toBe(
      `[partnerkit](index.md) / fastify\n\n# fastifyRoutes()\n\n\`\`\`ts\n${line}\n\`\`\`\n\n> signature\n`,
    );
  });

  it('leaves the page of an entry as it is', () => {
    expect(withImport(page, { url: 'fastify/index', name: 'fastify' })).toBe(page);
  });
});

describe('unions', () => {
  const literal = (type: string, told: string, rows: string): string =>
    `### Type Literal\n\n${type}\n\n${told}\n\n| Name | Type | Description |\n| :------ | :------ | :------ |\n${rows}`;
  const sent = literal(
    '\\{ `at`: [`EpochMs`](EpochMs.md); `kind`: `"sent"` \\| `"held"`; `of`: \\{ `id`: `string`; \\}; \\}',
    'It was sent,\nor held.',
    '| `at` | [`EpochMs`](EpochMs.md) | When. |\n| `kind` | `"sent"` \\| `"held"` |  |',
  );
  const failed = literal('\\{ `kind`: `"failed"`; \\}', 'It failed.', '| `kind` | `"failed"` |  |');
  const pageOf = (...members: string[]): string =>
    `# Act\n\n> **Act** = ${members.map(() => 'long').join(' \\| ')}\n\nAn act.\n\n## Union Members\n\n${members.join('\n\n***\n\n')}\n\n## See\n\nmore\n`;

  it('read as a table by the property that tells them apart', () => {
    expect(withUnionTable(pageOf(sent, failed))).toBe(`# Act

> **Act** = \\{ \`kind\`: \`"sent"\` \\| \`"held"\`; … \\} \\| \\{ \`kind\`: \`"failed"\`; \\}

An act.

## Union Members

| \`kind\` | Properties | Description |
| :------ | :------ | :------ |
| \`"sent"\` \\| \`"held"\` | \`at\`, \`of\` | It was sent, or held. |
| \`"failed"\` |  | It failed. |

### \`kind\`: \`"sent"\` \\| \`"held"\`

| Name | Type | Description |
| :------ | :------ | :------ |
| \`at\` | [\`EpochMs\`](EpochMs.md) | When. |
| \`kind\` | \`"sent"\` \\| \`"held"\` |  |

### \`kind\`: \`"failed"\`

| Name | Type | Description |
| :------ | :------ | :------ |
| \`kind\` | \`"failed"\` |  |

## See

more
`);
  });

  it('are told apart by a property that all have', () => {
    const last = literal('\\{ `isLast`: `true`; `kind`: `"last"`; \\}', 'The last.', '| `isLast` | `true` |  |');
    expect(withUnionTable(pageOf(last, failed))).toContain('| `kind` | Properties | Description |');
  });

  it('show one other type in the same table', () => {
    const text = withUnionTable(pageOf(sent, failed, '[`Health`](Health.md)\n\nIts health changed.'));
    expect(text).toContain('| [`Health`](Health.md) |  | Its health changed. |');
    expect(text).toContain('\\| [`Health`](Health.md)\n');
  });

  it('without such a property name their properties', () => {
    const one = literal('\\{ `id`: `string`; \\}', 'By id.', '| `id` | `string` |  |');
    const other = literal('\\{ `name`: `string`; \\}', 'By name.', '| `name` | `string` |  |');
    const text = withUnionTable(pageOf(one, other));
    expect(text).toContain(
      '| Properties | Description |\n| :------ | :------ |\n| `id` | By id. |\n| `name` | By name. |',
    );
    expect(text).toContain('### `name`\n');
  });

  it.each([
    ['one object', pageOf(sent, '`string`')],
    ['no object', pageOf('`"a"`', '`"b"`')],
    ['no union', '# Act\n\nAn act.\n'],
  ])('stay as they are with %s', (_name, page) => {
    expect(withUnionTable(page)).toBe(page);
  });
});
