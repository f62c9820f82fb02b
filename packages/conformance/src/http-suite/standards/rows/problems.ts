import { match, ok, strictEqual } from 'node:assert';
import { payment } from '../../requests/client.ts';
import {
  account,
  call,
  formLogin,
  grant,
  type RowRequest,
  type RowResponse,
  request,
  type StandardsGroup,
} from '../row.ts';

/** Statuses that a host may choose for a rejection, with the phrases of the registry of IANA. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
};

/** A refusal of each status. */
const refusals: Readonly<Record<number, RowRequest>> = {
  400: call(`POST ${account}/payment-requests`, [], '{'),
  401: request(`GET ${account}/me`),
  403: request(`GET ${account}/me`, ['Authorization: Bearer <otherScope>']),
  404: call('GET /nothing'),
  405: request('GET /login'),
  409: call(`POST ${account}/security-deposits/<deposit>/check-in`),
  412: call(`GET ${account}/payment-requests/<payment>`, ['If-Match: "2"']),
  413: call(`POST ${account}/payment-requests`, [], `{"name":"${'x'.repeat(70_000)}"}`),
  415: call(`POST ${account}/payment-requests`, ['Content-Type: text/plain'], '{}'),
  503: call('GET /organisations/<unreachable>/me'),
};
const requests = `one refusal of each status: ${Object.keys(refusals).join(', ')}`;

type Problem = Readonly<Record<string, unknown>>;

const eachProblem =
  (check: (problem: Problem, response: RowResponse) => void) =>
  async ({ send }: { readonly send: (sent: RowRequest) => Promise<RowResponse> }): Promise<void> => {
    for (const [status, refusal] of Object.entries(refusals)) {
      const response = await send(refusal);
      strictEqual(String(response.status), status, response.body);
      check(JSON.parse(response.body), response);
    }
  };

export const problemRows: readonly StandardsGroup[] = [
  {
    standard: 'RFC 9457',
    title: 'Problem details',
    url: 'https://www.rfc-editor.org/rfc/rfc9457',
    rows: [
      {
        at: '§3',
        must: 'A problem document has the type application/problem+json.',
        requests,
        answers: '`Content-Type: application/problem+json`',
        check: eachProblem((_problem, { headers }) => strictEqual(headers['content-type'], 'application/problem+json')),
      },
      {
        at: '§3.1.1',
        must: 'type is a URI reference; without it, the problem is about:blank.',
        requests,
        answers: 'no `type`',
        check: eachProblem(({ type }) => strictEqual(type, undefined)),
      },
      {
        at: '§3.1.2',
        must: 'status is the status of the answer.',
        requests,
        answers: '`status` is that of the status line',
        check: eachProblem((problem, { status }) => strictEqual(problem['status'], status)),
      },
      {
        at: '§4.2.1',
        should: 'title of about:blank is the phrase of the status.',
        requests,
        answers: '`title` is the phrase of the registry of IANA',
        check: eachProblem(({ title }, { status }) => {
          const own = { 401: 'Unauthorized', 405: 'Method Not Allowed', 503: 'Service Unavailable' };
          strictEqual(title, { ...phrases, ...own }[status]);
        }),
      },
      {
        at: '§4.2.1',
        should: 'title is the phrase of the status also where the platform chose the status.',
        requests: `a command that \`onCommand\` rejects with each of ${Object.keys(phrases).join(', ')}`,
        answers: '`title` is the phrase of the registry of IANA',
        check: async ({ send }) => {
          for (const [status, phrase] of Object.entries(phrases)) {
            const rejected = JSON.stringify({ ...payment, name: `status ${status}` });
            const response = await send(call(`POST ${account}/payment-requests`, [], rejected));
            strictEqual(String(response.status), status);
            strictEqual(JSON.parse(response.body).title, phrase);
          }
        },
      },
      {
        at: '§3.1.4',
        should: 'detail helps to correct the problem.',
        requests,
        answers: '`detail` is a sentence',
        check: eachProblem(({ detail }) => match(String(detail), /^.{10,}\.$/)),
      },
      {
        at: '§3.2',
        should: 'Names of extensions begin with a letter, and have three characters or more.',
        requests,
        answers: '`code` is a text, and each name fits',
        check: eachProblem((problem) => {
          strictEqual(typeof problem['code'], 'string');
          for (const name of Object.keys(problem)) ok(/^[A-Za-z][A-Za-z0-9_]{2,}$/.test(name), name);
        }),
      },
    ],
  },
  {
    standard: 'RFC 6585',
    title: 'Additional status codes',
    url: 'https://www.rfc-editor.org/rfc/rfc6585',
    rows: [
      {
        at: '§4',
        may: 'A 429 says in Retry-After when to try again; it is not stored by a cache.',
        request: formLogin(`${grant}&client_id=<limited>&client_secret=x`),
        answer: { status: 429, headers: { 'retry-after': '7', 'cache-control': 'no-store' } },
      },
    ],
  },
];
