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

/** `PaymentRequest` for a response whose schema is that component, otherwise its status alone. */
const nameOf = (status: string, { content }: Part): string => {
  const [media] = Object.values((content ?? {}) as Readonly<Record<string, { readonly schema: JsonSchema }>>);
  const ref = media?.schema['$ref'];
  return typeof ref === 'string' ? `${status}-${ref.slice(ref.lastIndexOf('/') + 1)}` : status;
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
    webhooks: webhooks.map((each) => share(each, 'webhook-')),
    parameters: parameters.components,
    responses: responses.components,
  };
};
