import { nounOf } from './codes.ts';
import type { JsonSchema } from './json-schema.ts';

type Part = Readonly<Record<string, unknown>>;

/** An operation of the document, with everything in it. */
export interface WrittenOperation extends Part {
  readonly parameters?: readonly Part[];
  readonly responses: Readonly<Record<string, Part>>;
}

/** Components of the document, by name. */
export type Components = ReadonlyMap<string, object>;

/** Counts equal parts, and names those that occur more than once. A name belongs to the first part that takes it. */
const createShelf = (folder: string) => {
  const counts = new Map<string, number>();
  const owners = new Map<string, string>();
  const components = new Map<string, object>();
  return {
    components,
    count: (part: Part): void => {
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
    refer: (name: string, part: Part): Part => {
      const text = JSON.stringify(part);
      if ((counts.get(text) ?? 0) < 2 || (owners.get(name) ?? text) !== text) return part;
      owners.set(name, text);
      components.set(name, part);
      return { $ref: `#/components/${folder}/${name}` };
    },
  };
};

/** What the names of successful responses end with. */
const endings: Readonly<Record<string, string>> = { 200: 'Ok', 201: 'Created', 202: 'Accepted' };
/** The names of responses without a schema of their own. */
const plain: Readonly<Record<string, string>> = {
  ...{ 204: 'NoContent', 304: 'NotModified', '2XX': 'Confirmed', '5XX': 'Failed' },
};

/** `PaymentRequestCreated` for a 201 whose schema is that component, otherwise the name of its status. */
const nameOf = (status: string, { content }: Part): string => {
  const [media] = Object.values((content ?? {}) as Readonly<Record<string, { readonly schema: JsonSchema }>>);
  const ref = media?.schema['$ref'];
  const own = typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : '';
  return `${own}${endings[status] ?? plain[status] ?? nounOf(Number(status))}`;
};

/** Moves the parameters and responses that several operations or webhooks have into components. */
export const shareParts = (
  operations: readonly WrittenOperation[],
  webhooks: readonly WrittenOperation[],
): {
  readonly operations: readonly WrittenOperation[];
  readonly webhooks: readonly WrittenOperation[];
  readonly parameters: Components;
  readonly responses: Components;
} => {
  const [parameters, responses] = [createShelf('parameters'), createShelf('responses')];
  for (const operation of [...operations, ...webhooks]) {
    for (const each of operation.parameters ?? []) parameters.count(each);
    for (const each of Object.values(operation.responses)) responses.count(each);
  }
  const share = (operation: WrittenOperation, prefix = ''): WrittenOperation => ({
    ...operation,
    ...(operation.parameters
      ? { parameters: operation.parameters.map((each) => parameters.refer(String(each['name']), each)) }
      : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, each]) => [
        status,
        '$ref' in each ? each : responses.refer(`${prefix}${nameOf(status, each)}`, each),
      ]),
    ),
  });
  return {
    operations: operations.map((each) => share(each)),
    webhooks: webhooks.map((each) => share(each, 'Webhook')),
    parameters: parameters.components,
    responses: responses.components,
  };
};
