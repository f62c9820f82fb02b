import { isObject } from '../../base/runtime/is-object.ts';
import type { Selection } from '../../webhooks/catalogue/projection.ts';
import type { JsonSchema } from './json-schema.ts';

const refPrefix = '#/components/schemas/';

/** Reduces the schema of an object to the fields that an event type sends. */
export const selectSchema = (
  schema: JsonSchema,
  selection: Selection,
  components: ReadonlyMap<string, JsonSchema>,
): JsonSchema => {
  if (selection.whole || selection.fields.size === 0) return schema;
  const below = (node: unknown): unknown => (isObject(node) ? selectSchema(node, selection, components) : node);
  const { $ref, properties, required, items, ...rest } = schema;
  if (typeof $ref === 'string') {
    const named = components.get($ref.replace(refPrefix, ''));
    return named ? selectSchema(named, selection, components) : schema;
  }
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(rest[key]) ? [[key, rest[key].map(below)] as const] : [],
  );
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(([name, field]) => {
    const selected = selection.fields.get(name);
    return selected ? [[name, selectSchema(field, selected, components)] as const] : [];
  });
  return {
    ...rest,
    ...Object.fromEntries(variants),
    ...(items === undefined ? {} : { items: below(items) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(Array.isArray(required)
      ? { required: required.filter((name: unknown) => fields.some(([field]) => field === name)) }
      : {}),
  };
};
