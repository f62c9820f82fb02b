import type { BadCall, BadCallGroup } from '../../../conformance/src/bad-input/bad-call.ts';
import { badCalls } from '../../../conformance/src/bad-input/bad-calls.ts';
import { maxWork } from '../../../conformance/src/bad-input/max-work.ts';
import { httpCases } from '../../../conformance/src/http-suite/partner/cases.ts';
import { receiverCases } from '../../../conformance/src/http-suite/receiver/cases.ts';
import { badRequests } from '../../../conformance/src/http-suite/requests/bad.ts';
import type { BadRequest } from '../../../conformance/src/http-suite/requests/bad-request.ts';
import type { BadGroup, HttpCase } from '../../../conformance/src/http-suite/support/http-case.ts';
import { groupBy } from '../../../conformance/src/node-20.ts';

const introduction = `# Bad input

The response to each malformed request, and the error of each malformed call. For developers of receivers and of
platforms who look up a response, and for security reviewers.

Each line is a test. \`httpSuite\` and \`requestsHttpSuite\` of \`@partnerkit/conformance/http-suite\` send the requests over
a real socket, of the wrong fields one for each command; \`badInputSuite\` makes the calls. \`pnpm run docs:bad-input\`
writes this page from them.

What a standard demands of a request is on the page of [standards](standards.md).

A refusal stores nothing; of a login, its time and reason are kept at the API key, at most once a minute. No secret,
token or stack appears in a response, a signal or an error.

## Responses

- Every response has \`cache-control: no-store\`.
- Login answers \`application/json\` (RFC 6749 §5.2). Every other route answers \`application/problem+json\` (RFC 9457) with
  an \`x-request-id\`; a receiver sends no \`x-request-id\`.
- Unknown, wrong, disabled, expired, revoked and mistyped credentials get one response, byte for byte. So do accounts
  that the client cannot access and accounts that do not exist.
- What a framework or Node.js refuses before partnerkit (a request that is not HTTP, headers over 16 KiB) is listed in
  [Mounting on a framework](../start/frameworks.md).

## Cost of a refusal

- **Bytes.** Login reads at most 8 KiB of a body, a receiver 512 KiB, the routes of [requests](../guides/requests-api.md) 64
  KiB, their batches 1 MiB, their test events and uploads 4 KiB, a route of the host 1 MiB by default
  (\`maxBodyBytes\`), other routes none. A route that needs a token reads no byte before it has accepted the token and found the account. A larger body is refused at
  the chunk that exceeds the limit; the rest is discarded or cut off.
- **Calls.** One refused request costs at most ${maxWork.hashes} SHA-256 hashes and ${maxWork.comparisons} comparison, ${maxWork.tokenChecks} check of a token signature, ${maxWork.clientReads} read
  of a client, ${maxWork.revocationReads} of the revoked tokens, ${maxWork.accountReads} calls of the account directory and ${maxWork.limiterCalls} of the rate limiter. A refused
  login makes ${maxWork.refusalNotes} write, which no answer waits for. Calls with a valid token are counted in memory: at
  most once a minute one of them makes ${maxWork.usageWrites} write, which no answer waits for. There are no other storage calls, except for commands of requests: each begins one transaction, reads the object, and rolls back.
- **Parsing** takes time in proportion to the bytes read, with any nesting, repetition or escaping.
- **Encodings.** A receiver does not decompress, and ignores the content type: the signature covers the bytes as they
  are sent. The content must be JSON in UTF-8.
- **Time.** These calls of your adapters bound the time of a refusal. Your HTTP server decides how long a caller may be
  silent (\`headersTimeout\` and \`requestTimeout\` of Node.js), and your driver how long a call may take.
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
  webhook: 'Webhooks: signatures',
  'webhook key': 'Webhooks: the delivery header',
  'webhook encoding': 'Webhooks: encodings and sizes',
  'webhook body': 'Webhooks: the envelope',
};

const ofRequests: Readonly<Record<keyof typeof badRequests, string>> = {
  fields: 'New objects',
  commands: 'Changes and commands',
  bodies: 'Bodies',
  queries: 'Lists and histories',
};

const ofRequestsIntroduction = `The routes of [requests](../guides/requests-api.md) name each wrong field or parameter in \`errors\`, at most 32, and never
its value. \`simulate\` and \`webhooks/test\` exist only in test environments.
`;

const callHeadings: Readonly<Record<BadCallGroup, string>> = {
  'endpoint URL': '`kit.endpoints`: URLs',
  'delivery header': '`kit.endpoints`: delivery headers',
  endpoint: '`kit.endpoints`: other input',
  client: '`kit.clients`',
  event: '`kit.events`',
  delivery: '`kit.deliveries` and `kit.events`',
};

const callIntroduction = `## Calls of the kit

The failure in the Result has this \`code\` and \`message\`. \`publish\` and \`publishMany\` reject with a \`PublishError\` of the
same code. The URL of an endpoint may not name a forbidden address, such as a private one. A name that resolves to such
an address is refused when the attempt connects.
`;

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const plain = (text: string): string => text.replace(/[|\\`*_[\]<>]/g, '\\$&');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...columns), row(...columns.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** Headers that only some responses have. */
const optionalHeaders = ['www-authenticate', 'allow', 'accept', 'accept-encoding'];
const answerOf = ({ status, body, headers }: HttpCase): readonly string[] => {
  const lines = optionalHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [code(`${name}: ${headers[name]}`)],
  );
  const text = typeof body === 'string' ? body : 'an access token';
  return [String(status), [...(typeof body === 'string' && text !== '' ? [code(text)] : [text]), ...lines].join(' ')];
};

const requestTable = (group: BadGroup): string =>
  table(
    ['request', 'status', 'response'],
    [...httpCases, ...receiverCases]
      .filter(({ bad }) => bad === group)
      .map((each) => [plain(each.name), ...answerOf(each)]),
  );

/** Whether the value is the name of a field that is not accepted. */
const isField = ({ value, names = [] }: BadRequest): boolean => names.join() === `/${value}`;
/** Values with the same refusal share a line. */
export const alikeKey = (bad: BadRequest): string =>
  JSON.stringify([bad.wrong, bad.status, bad.code, isField(bad) ? 'field' : bad.names]);
const requestsTable = (group: keyof typeof badRequests): string => {
  const alike = groupBy(badRequests[group], alikeKey);
  return table(
    ['request', 'status', 'code', 'pointer in errors'],
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
        isField(first) ? 'that field' : named.join(', '),
      ];
    }),
  );
};

const callTable = (group: BadCallGroup): string =>
  table(
    ['input', 'calls', 'code', 'message'],
    badCalls
      .filter((each: BadCall) => each.group === group)
      .map(({ input, calls, code: name, detail = '' }) => [
        input,
        Object.keys(calls)
          // Two parts of the kit have a `list`.
          .map((call) => code(group === 'delivery' ? call : call.replace(/^.*\./, '')))
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

/** The page of bad input, as committed. */
export const badInputPage = (): string =>
  [
    introduction,
    ...sections('##', requestHeadings, requestTable),
    `## Payment requests, security deposits and templates\n\n${ofRequestsIntroduction}`,
    ...sections('###', ofRequests, requestsTable),
    callIntroduction,
    ...sections('###', callHeadings, callTable),
  ].join('\n');
