import { isObject } from '../../base/runtime/is-object.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import { project, type Selection } from '../../webhooks/catalogue/projection.ts';
import { createSchemaWriter, type JsonSchema } from './json-schema.ts';
import { first, sampleOf } from './sample-value.ts';

/** An object that the schema of its definition accepts; `undefined` when the sample breaks a rule. */
export const sampleObject = (
  { schema }: ObjectDefinition,
  json: JsonSchema,
): (Readonly<Record<string, unknown>> & { readonly id: string }) | undefined => {
  const sample = sampleOf(json);
  if (!isObject(sample)) return undefined;
  const named = { ...sample, id: 'example_1' };
  try {
    return schema.safeParse(named).success ? named : undefined;
  } catch {
    // A rule of the host that throws.
    return undefined;
  }
};

/** An object as the schema's input; `undefined` when none is known. */
export const sampleInput = (definition: ObjectDefinition): Readonly<Record<string, unknown>> | undefined => {
  const { write } = createSchemaWriter();
  return sampleObject(definition, write(definition.schema, 'input'));
};

/** The fields of a sample that an event type sends, without its id. */
export const sentPart = (
  sample: Readonly<Record<string, unknown>>,
  { selections }: ObjectDefinition,
  type: string,
): Readonly<Record<string, unknown>> | undefined => {
  const selection = selections.get(type);
  if (!selection) return undefined;
  try {
    const { id: _id, ...sent } = project(sample, selection) as Readonly<Record<string, unknown>>;
    return sent;
  } catch {
    // Data that cannot be sent.
    return undefined;
  }
};

/** The first event of the objects that is known with its data, as a test event; `null` when none is known. */
export const sampleEvent = (objects: readonly ObjectDefinition[]): object | null => {
  for (const definition of objects) {
    const [{ type } = { type: '' }] = definition.entries;
    const sample = createSchemaWriter().example(definition.schema, 'input');
    const data = isObject(sample) ? sentPart(sample, definition, type) : undefined;
    if (data) return { objectName: definition.objectName, type, data };
  }
  return null;
};

const filled = (given: unknown, sample: unknown, selection: Selection): unknown => {
  if (selection.whole) return given;
  if (Array.isArray(given)) return given.map((item) => filled(item, first(sample), selection));
  if (!isObject(given) || !isObject(sample)) return given;
  const unsent = Object.entries(sample).filter(([name]) => !selection.fields.has(name));
  const kept = Object.entries(given).map(([name, value]) => {
    const selected = selection.fields.get(name);
    return [name, selected ? filled(value, sample[name], selected) : value];
  });
  return Object.fromEntries([...unsent, ...kept]);
};

/**
 * Data with a sample in place of each absent field that an event type does not send. The schema may require such a
 * field, but no partner knows it. `undefined` when no sample is known.
 */
export const fillUnsent = (data: object, definition: ObjectDefinition, type: string): object | undefined => {
  const [sample, selection] = [sampleInput(definition), definition.selections.get(type)];
  return sample && selection ? (filled(data, sample, selection) as object) : undefined;
};
