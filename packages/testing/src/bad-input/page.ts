import { httpCases } from '../http-suite/cases.ts';
import type { BadGroup, HttpCase } from '../http-suite/http-case.ts';
import { receiverCases } from '../http-suite/receiver-cases.ts';
import { badRequests } from '../http-suite/requests-bad.ts';
import type { BadRequest } from '../http-suite/requests-bad-request.ts';
import type { BadCall, BadCallGroup } from './bad-call.ts';
import { badCalls } from './bad-calls.ts';
import { mostWork } from './most-work.ts';

const introduction = `# Bad input

What each malformed request and each malformed call is answered. This page is written by \`pnpm run docs:bad-input\` from
the suites of \`@partnerkit/testing\`, so every line of it is a test: \`httpSuite\` and \`requestsHttpSuite\` send the requests to each
framework over a real socket, \`badInputSuite\` makes the calls. Whatever is refused stores nothing, and no secret, token or stack is in an
answer, a signal or an error.

Every answer carries \`cache-control: no-store\`. Login answers \`application/json\` as RFC 6749 §5.2 has it; every other route
answers \`application/problem+json\` (RFC 9457) with an \`x-request-id\`, a receiver without. What a framework or Node.js refuses before us (a
request that is no HTTP, a header block over 16 KiB) is listed in [Mounting on a framework](frameworks.md).

## How much work a refusal is

- **Bytes.** Login reads 8 KiB of a body, a receiver 512 KiB, the routes of [requests](requests.md) 64 KiB and their test events 4 KiB, a
  route of the host's own 1 MiB unless it says otherwise, every other route none. Where a token is needed, no byte is read before the token was accepted and the account found. A
  larger body is refused with the chunk that passes the limit, before the rest has come; the rest is let pass or cut off, and not kept.
- **Parsing** takes time in proportion to what was read, nested, repeated and escaped as it may be.
- **Encodings.** A receiver decompresses nothing and looks at no content type: a signature is over the bytes as they are sent, and what
  they hold is JSON in UTF-8 or refused.
- **Questions.** One refused request costs at most ${mostWork.hashes} SHA-256 hashes and ${mostWork.comparisons} comparison, ${mostWork.tokenChecks} check of a token's signature,
  ${mostWork.clientReads} read of a client, ${mostWork.revocationReads} of the revoked tokens, ${mostWork.accountReads} of your directory and ${mostWork.limiterCalls} calls of the limiter. Nothing else is asked
  of the storage, but for the commands of requests: each begins one transaction, reads the object, and rolls back.
- **Time.** So no answer takes longer than those questions take your own adapters. How long a caller may be silent in the middle
  of a request is decided by the host's HTTP server (\`headersTimeout\` and \`requestTimeout\` of Node.js), how long a
  question may take by your driver.

Credentials that are unknown, wrong, disabled, expired, revoked or mistyped get one answer, byte for byte; so do accounts that
are out of reach and accounts that do not exist.
`;

const requestHeadings: Readonly<Record<BadGroup, string>> = {
  login: 'Login: parameters',
  credentials: 'Login: credentials',
  body: 'Login: body',
  'content type': 'Login: content type and encoding',
  size: 'Sizes',
  token: 'Access tokens',
  path: 'Paths and account ids',
  method: 'Methods',
  header: 'Headers',
  webhook: 'Webhooks, at a receiver: signatures',
  'webhook key': 'Webhooks: the API-key header',
  'webhook encoding': 'Webhooks: encodings and sizes',
  'webhook body': 'Webhooks: the envelope',
};

const ofRequests: Readonly<Record<keyof typeof badRequests, string>> = {
  fields: 'New objects',
  commands: 'Changes and commands',
  bodies: 'Bodies',
  queries: 'Lists and histories',
};

const ofRequestsIntroduction = `The routes of [requests](requests.md) name each wrong field, or parameter, in \`errors\`, at most 32 of them, and never its value.
\`simulate\` and \`webhooks/test\` are there in test environments alone.
`;

const callHeadings: Readonly<Record<BadCallGroup, string>> = {
  'endpoint URL': '`kit.endpoints`: URLs',
  'API-key header': '`kit.endpoints`: API-key headers',
  endpoint: '`kit.endpoints`: the rest',
  client: '`kit.clients`',
  event: '`kit.events`',
  delivery: '`kit.deliveries` and test events',
};

const callIntroduction = `## Calls of the kit

The \`code\` and \`detail\` of the failure in the Result; \`publish\` and \`publishMany\` reject with a \`PublishError\` of the same
code. The URL of an endpoint may not name an address that the sender never
reaches, such as a private one; a name that resolves to such an address is refused at the socket, at each attempt.
`;

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const plain = (text: string): string => text.replace(/[|\\`*_[\]<>]/g, '\\$&');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...columns), row(...columns.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** The headers that not every answer has. */
const told = ['www-authenticate', 'allow', 'accept', 'accept-encoding'];
const answerOf = ({ status, body, headers }: HttpCase): readonly string[] => {
  const lines = told.flatMap((name) => (headers[name] === undefined ? [] : [code(`${name}: ${headers[name]}`)]));
  const text = typeof body === 'string' ? body : 'an access token';
  return [String(status), [...(typeof body === 'string' && text !== '' ? [code(text)] : [text]), ...lines].join(' ')];
};

const requestTable = (group: BadGroup): string =>
  table(
    ['request', 'status', 'body'],
    [...httpCases, ...receiverCases]
      .filter(({ bad }) => bad === group)
      .map((each) => [plain(each.name), ...answerOf(each)]),
  );

/** Whether the value is the name of a field that is not taken. */
const isField = ({ value, names = [] }: BadRequest): boolean => names.join() === `/${value}`;
/** Values that are refused alike share a line. @internal */
export const alikeKey = (bad: BadRequest): string =>
  JSON.stringify([bad.wrong, bad.status, bad.code, isField(bad) ? 'field' : bad.names]);
const requestsTable = (group: keyof typeof badRequests): string => {
  const alike = Map.groupBy(badRequests[group], alikeKey);
  return table(
    ['request', 'status', 'code', 'named in errors'],
    [...alike.values()].map((each) => {
      const [first] = each as [BadRequest, ...BadRequest[]];
      const { wrong, status, code: name, names = [] } = first;
      const values = each.flatMap(({ value }) => (value === undefined ? [] : [code(value)]));
      const named = names.map((pointer) =>
        pointer === '' ? 'the whole body' : code(pointer.replaceAll('\0', '\\u0000')),
      );
      return [
        `${plain(wrong)} ${values.join(', ')}`.trim(),
        String(status),
        code(name),
        isField(first) ? 'the field' : named.join(', '),
      ];
    }),
  );
};

const callTable = (group: BadCallGroup): string =>
  table(
    ['input', 'calls', 'code', 'detail'],
    badCalls
      .filter((each: BadCall) => each.group === group)
      .map(({ input, calls, code: name, detail = '' }) => [
        input,
        Object.keys(calls)
          .map((call) => code(call.replace(/^.*\./, '')))
          .join(', '),
        code(name),
        detail === '' ? '' : code(detail.length > 200 ? `${detail.slice(0, 40)}…${detail.slice(-40)}` : detail),
      ]),
  );

const sections = <G extends string>(
  level: string,
  headings: Readonly<Record<G, string>>,
  write: (group: G) => string,
): readonly string[] =>
  (Object.entries(headings) as [G, string][]).map(([group, heading]) => `${level} ${heading}\n\n${write(group)}\n`);

/** The page of bad input, as it is committed. @internal */
export const badInputPage = (): string =>
  [
    introduction,
    ...sections('##', requestHeadings, requestTable),
    `## Payment requests, security deposits and templates\n\n${ofRequestsIntroduction}`,
    ...sections('###', ofRequests, requestsTable),
    callIntroduction,
    ...sections('###', callHeadings, callTable),
  ].join('\n');
