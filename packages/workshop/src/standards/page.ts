import { types } from 'node:util';
import { targetOf } from '../../../conformance/src/http-suite/standards/exchange.ts';
import {
  demandOf,
  type RowAnswer,
  type RowRequest,
  type RowStep,
  type StandardsGroup,
} from '../../../conformance/src/http-suite/standards/row.ts';
import { standards } from '../../../conformance/src/http-suite/standards/rows.ts';

const introduction = `# Standards

The sentences of RFCs and of Standard Webhooks that bind the partner API, each with a request and its answer. For
engineers who connect a stock client, and for reviewers who compare the platform with a standard.

Each line is a test. \`standardsHttpSuite\` of \`@partnerkit/conformance/http-suite\` sends it over a raw socket, to Express,
Fastify and a fetch handler. The expectations are written by hand from the texts of the standards. \`pnpm run
docs:standards\` writes this page from them.

Paths are those of the default base path. A name in angle brackets stands for a value: \`<token>\` is an access token,
\`<payment>\` a new payment request at version 1, \`<etag>\` the \`ETag\` of the answer before. \`<assertion>\` is a genuine
assertion, \`<assertionNoIss>\` one without \`iss\`; each is the same in all requests of its line. \`…\` leaves out what the
line does not test, and an arrow leads to the next request of the line.
`;

/** Departures that no request shows. */
const unseen: readonly (readonly [source: string, reason: string])[] = [
  [
    'RFC 9068 §2.1: RS256 is supported.',
    'Tokens are signed with ES256. `joseAccessTokens` of `@partnerkit/node/jose` also signs and verifies RS256.',
  ],
  [
    'RFC 6749 §5.2: errors have the status 400.',
    'A body of another type gets 415, and one of more than 8 KiB 413. Both have `error: "invalid_request"`.',
  ],
];

const escaped = (each: string): string => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
const code = (text: string): string => {
  const line = text
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('|', '\\|')
    .replace(/\p{Cc}|\ufeff/gu, escaped);
  const mark = line.includes('`') ? '``' : '`';
  return `${mark}${line}${mark}`;
};
const plain = (text: string): string => text.replace(/[|\\*_[\]<>]/g, '\\$&');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...columns), row(...columns.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const maxBody = 140;
const bodyOf = (body: RowRequest['body']): string => {
  if (typeof body !== 'string') return `${body?.length} bytes`;
  return body.length > maxBody ? `${body.slice(0, 20)}…` : body;
};
const requestOf = ({ line, headers, body }: RowRequest): string => {
  const [method = '', ...path] = line.split(' ');
  const lines = [`${method} ${targetOf(path.join(' '))}`, ...headers];
  return [...lines, ...(body === undefined || body === '' ? [] : [bodyOf(body)])].map(code).join('<br>');
};

/** JSON with what it lacks, and patterns as they are. */
const membersOf = (value: unknown): string => {
  if (types.isRegExp(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(membersOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) =>
    each === undefined ? `no ${name}` : `${JSON.stringify(name)}: ${membersOf(each)}`,
  );
  return `{${[...members, '…'].join(', ')}}`;
};
const contentOf = (body: Exclude<RowAnswer['body'], undefined>): string => {
  if (body === '') return 'no content';
  return code(typeof body === 'string' ? body : membersOf(body));
};
const answerOf = ({ status, headers = {}, body }: RowAnswer): string =>
  [
    String(status),
    ...Object.entries(headers).map(([name, value]) =>
      value === null ? `no ${code(name)}` : code(`${name}: ${value}`),
    ),
    ...(body === undefined ? [] : [contentOf(body)]),
  ].join('<br>');

const stepsOf = (step: RowStep): readonly RowStep[] => [step, ...(step.next ? stepsOf(step.next) : [])];
const sectionOf = (title: string): string => (title.startsWith('§') ? title : plain(title));

const lineOf = (each: StandardsGroup['rows'][number]): readonly string[] => {
  const [level, rule] = demandOf(each);
  const departs = each.departs === undefined ? '' : ` **Departs.** ${each.departs}`;
  const head = [sectionOf(each.at), level, `${plain(rule)}${departs}`];
  if ('check' in each) return [...head, each.requests, each.answers];
  const steps = stepsOf(each);
  return [
    ...head,
    steps.map(({ request }) => requestOf(request)).join('<br>→<br>'),
    steps.map(({ answer }) => answerOf(answer)).join('<br>→<br>'),
  ];
};

const departures = standards.flatMap(({ standard, rows }) =>
  rows.flatMap((each): (readonly [string, string])[] =>
    each.departs === undefined ? [] : [[`${standard} ${each.at}: ${demandOf(each)[1]}`, each.departs]],
  ),
);

export const standardsPage = (): string =>
  [
    introduction,
    '## Departures\n',
    `${table(
      ['sentence', 'instead'],
      [...departures, ...unseen].map(([source, reason]) => [plain(source), reason]),
    )}\n`,
    ...standards.map(
      ({ standard, title, url, rows }) =>
        `## ${standard}: ${title}\n\n[${standard}](${url})\n\n${table(
          ['section', 'level', 'sentence', 'request', 'answer'],
          rows.map(lineOf),
        )}\n`,
    ),
  ].join('\n');
