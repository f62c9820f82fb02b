import type { Operation, Route } from '@partnerkit/core/http';
import type { SessionName } from './management-platform.ts';

/** Values that earlier answers gave, by name. @internal */
export type Known = Record<string, string>;

/** One request to the management API, and its answer. @internal */
export interface ManagementStep {
  readonly name: string;
  /** Whose session the request has. @defaultValue owner */
  readonly session?: SessionName | 'none';
  readonly method: string;
  /** Below the base path; `:name` is replaced by a known value. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body, or a text that is no JSON. */
  readonly body?: unknown;
  readonly status: number;
  /** The code of the problem document. */
  readonly code?: string;
  /** Known values from the answer. */
  readonly keep?: (answer: never) => Known;
  /** Whether it is a POST that changes nothing. */
  readonly storesNothing?: boolean;
  /** Whether an event is published and delivered first. */
  readonly delivers?: boolean;
}

const origin = { origin: 'https://evil.example' };
const foreignPages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'from another site': { 'sec-fetch-site': 'cross-site' },
  'from another host of the site': { 'sec-fetch-site': 'same-site', ...origin },
  'from another origin, by an old browser': origin,
  'from a document without an origin': { origin: 'null' },
};

/** An input that each operation accepts. */
const inputs: Readonly<Record<string, unknown>> = {
  addApiKey: { name: 'Another' },
  renameApiKey: { name: 'Renamed' },
  addApiKeySecret: { label: 'second' },
  expireApiKeySecret: { at: 1_800_000_000 },
  checkEndpoint: { url: 'https://partner.example/checked' },
  createEndpoint: { url: 'https://partner.example/other', events: ['payed'] },
  updateEndpoint: { label: 'changed' },
  activateEndpointSecret: { at: 1_800_000_000 },
  sendTestEvent: { objectName: 'RequestPayment', type: 'payed', data: { amount: 1 } },
  replayEvents: { from: 0, to: 1_900_000_000 },
};

const jsonType = { 'content-type': 'application/json' };

/** Refusals that hold for an operation whatever it does: nothing is stored. */
const refusalsOf = (
  path: string,
  { method, operationId, body, requestHeaders, tag, problems }: Operation,
): ManagementStep[] => {
  const request = { method, path, ...(body ? { body: inputs[operationId] } : {}) };
  const isWrite = method !== 'GET';
  const isOfObject = path.includes(':') && !['listAttempts', 'explainEvent'].includes(operationId);
  const steps: ManagementStep[] = [
    { ...request, name: 'without a session', session: 'none', status: 401, code: 'not_authenticated' },
    { ...request, name: 'with an unknown parameter', path: `${path}?no=1`, status: 400, code: 'invalid_query' },
  ];
  if (problems?.[403]?.includes('forbidden'))
    steps.push({ ...request, name: `without the right ${tag}`, session: 'nothing', status: 403, code: 'forbidden' });
  if (isOfObject)
    steps.push({ ...request, name: 'of another account', session: 'stranger', status: 404, code: 'not_found' });
  if (!isWrite) return steps;
  steps.push({ ...request, name: 'with the right to read', session: 'reader', status: 403, code: 'forbidden' });
  for (const [from, headers] of Object.entries(foreignPages))
    steps.push({ ...request, name: from, headers, status: 403, code: 'cross_site' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  steps.push({
    method,
    path,
    name: 'as a form',
    headers: form,
    body: 'a=b',
    status: 415,
    code: 'unsupported_media_type',
  });
  steps.push({ method, path, name: 'as an empty form', headers: form, status: 415, code: 'unsupported_media_type' });
  const [unknown, status] = [{ unknown: 1 }, 400];
  steps.push({ method, path, name: 'with an unknown field', body: unknown, status, code: 'invalid_input' });
  steps.push({
    method,
    path,
    name: 'with half a JSON text',
    headers: jsonType,
    body: '{',
    status,
    code: 'bad_request',
  });
  if (requestHeaders?.includes('If-Match'))
    for (const tag of ['"99"', 'W/"1"', '""'])
      steps.push({
        ...request,
        name: `if it is ${tag}`,
        headers: { 'if-match': tag },
        status: 412,
        code: 'version_mismatch',
      });
  return steps;
};

/** Every refusal of every operation. @internal */
export const refusals = (routes: readonly Route[], basePath: string): readonly ManagementStep[] =>
  routes.flatMap(({ path, operations = [] }) =>
    operations.flatMap((operation) => {
      if (operation.body && inputs[operation.operationId] === undefined)
        throw new TypeError(`management: ${operation.operationId} has no input.`);
      return refusalsOf(path.slice(basePath.length), operation).map((step) => ({
        ...step,
        name: `${operation.operationId} ${step.name}: ${step.status} ${step.code}`,
      }));
    }),
  );
