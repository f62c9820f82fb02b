import { deepStrictEqual, strictEqual } from 'node:assert';
import { badBodies } from './bad-bodies.ts';
import { badCommands } from './bad-commands.ts';
import { badFields } from './bad-fields.ts';
import { badQueries } from './bad-queries.ts';
import type { BadRequest } from './bad-request.ts';
import { deposit, payment, type RequestsClient } from './client.ts';
import { inTest } from './made.ts';

/** The objects behind `{payment}` and the other placeholders, created when a path needs them. */
const objects: Readonly<Record<string, (client: RequestsClient) => Promise<string>>> = {
  '{payment}': async ({ must }) => {
    const body = { ...payment, metadata: { first: 'v' } };
    return `payment-requests/${(await must(201, 'POST', 'payment-requests', { ...inTest, body })).json.id}`;
  },
  '{deposit}': async ({ must }) => {
    const body = { ...deposit, stay: { from: '2027-03-01', to: '2027-03-03' } };
    return `security-deposits/${(await must(201, 'POST', 'security-deposits', { ...inTest, body })).json.id}`;
  },
  '{deposited}': async ({ must }) => {
    const { id } = (await must(201, 'POST', 'security-deposits', { ...inTest, body: deposit })).json;
    await must(200, 'POST', `security-deposits/${id}/simulate/succeed-deposit`, inTest);
    return `security-deposits/${id}`;
  },
  '{cashOut}': async (client) => {
    const cashOuts = `${await objects['{deposited}']?.(client)}/cash-outs`;
    return `${cashOuts}/${(await client.must(201, 'POST', cashOuts, { ...inTest, body: { amount: 1 } })).json.id}`;
  },
  '{depositTemplate}': async ({ must }) => {
    const body = { name: 'Weekend', depositAmount: 5, currency: 'EUR' };
    const { id } = (await must(201, 'POST', 'security-deposit-templates', { ...inTest, body })).json;
    return `security-deposit-templates/${id}`;
  },
  '{template}': async ({ must }) => {
    const body = { name: 'Weekend', amount: 5, currency: 'EUR' };
    return `payment-templates/${(await must(201, 'POST', 'payment-templates', { ...inTest, body })).json.id}`;
  },
};

/** Bad requests, by the headings of the table of bad input. */
export const badRequests: Readonly<Record<'fields' | 'bodies' | 'commands' | 'queries', readonly BadRequest[]>> = {
  fields: badFields,
  commands: badCommands,
  bodies: badBodies,
  queries: badQueries,
};

/**
 * Those that a suite over HTTP sends: what the transport adds, and of the fields one request for each command and
 * refusal. The rules of the fields are the same whatever serves them.
 */
export const badOverHttp: readonly BadRequest[] = [
  ...badRequests.bodies,
  ...badRequests.queries,
  ...new Map(
    [...badFields, ...badCommands].map((bad) => [`${bad.method} ${bad.path} ${bad.code}`, bad] as const).reverse(),
  ).values(),
];

/** The ids of the placeholders on each platform: each object is created once. */
const made = new WeakMap<RequestsClient, Map<string, Promise<string>>>();
/** The records after the last bad request, unless an object was made since. */
const lastStored = new WeakMap<RequestsClient, string>();

const pathOf = async (client: RequestsClient, path: string): Promise<string> => {
  const [place] = /\{\w+\}/.exec(path) ?? [];
  if (place === undefined) return path;
  const known = made.get(client) ?? new Map<string, Promise<string>>();
  made.set(client, known);
  const object = known.get(place) ?? (objects[place] as (typeof objects)[string])(client);
  if (!known.has(place)) lastStored.delete(client);
  known.set(place, object);
  return path.replace(place, await object);
};

/** Sends the request in an account of a test environment, where partners may also give the commands of the host. */
export const assertRefused = async (
  client: RequestsClient,
  { method, path, request, status, code, names }: BadRequest,
): Promise<void> => {
  const at = await pathOf(client, path);
  const before = lastStored.get(client) ?? (await client.stored());
  lastStored.delete(client);
  const answer = await client.send(method, at, { ...inTest, ...request });
  deepStrictEqual([answer.status, answer.json.code], [status, code], answer.body);
  strictEqual(answer.headers['content-type'], 'application/problem+json');
  strictEqual(/^[0-9a-f-]{36}$/.test(answer.headers['x-request-id'] ?? ''), true);
  if (names) {
    const named = answer.json.errors.map((each: Record<string, string>) => each['pointer'] ?? each['parameter']);
    deepStrictEqual(named, names);
  }
  const after = await client.stored();
  lastStored.set(client, after);
  strictEqual(after, before);
};
