import { z } from 'zod';
import { documentation } from '#documentation';
import { isObject } from '../runtime/is-object.ts';

/** A JSON Schema (2020-12). @public */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a schema describes what is sent to the platform, or what the platform sends. */
type Direction = 'input' | 'output';

/** What a host says of its schemas by `.meta()`, and what this library says of its own. */
const metadata = {
  get: (schema: z.ZodType) => {
    const { json: _json, keywords: _keywords, name, ...own } = documentation.get(schema) ?? {};
    return { ...z.globalRegistry.get(schema), ...own, ...(name === undefined ? {} : { id: name }) };
  },
  has: (schema: z.ZodType) => z.globalRegistry.has(schema) || documentation.has(schema),
};

const refPrefix = '#/$defs/';
const isNoise = ([key, value]: readonly [string, unknown]): boolean =>
  (key === '$schema' && typeof value === 'string') ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER);

/**
 * Moves references to the components of a document. What the platform sends may gain fields (specification §6.5), so
 * its objects stay open.
 */
const rewrite = (node: unknown, direction: Direction): unknown => {
  if (Array.isArray(node)) return node.map((item) => rewrite(item, direction));
  if (!isObject(node)) return node;
  const entries = Object.entries(node)
    .filter((entry) => !isNoise(entry))
    .filter(([key, value]) => direction === 'input' || key !== 'additionalProperties' || value !== false)
    .map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? value.replace(refPrefix, '#/components/schemas/')
        : rewrite(value, direction),
    ]);
  return Object.fromEntries(entries);
};

/** Writes zod schemas as JSON Schemas, and collects those with a name. @internal */
export const createSchemaWriter = () => {
  const components = new Map<string, JsonSchema>();

  const isFree = (name: string, schema: JsonSchema): boolean => {
    const known = components.get(name);
    return !known || JSON.stringify(known) === JSON.stringify(schema);
  };

  /** Stores a schema under the first free name. */
  const keep = (name: string, schema: JsonSchema, otherwise = name): JsonSchema => {
    const free = [name, otherwise].find((each) => isFree(each, schema));
    if (free === undefined)
      throw new TypeError(`openApi: two schemas are named "${name}": give one of them another id.`);
    components.set(free, schema);
    return { $ref: `#/components/schemas/${free}` };
  };

  const write = (schema: z.ZodType, direction: Direction): JsonSchema => {
    const { $defs = {}, ...written } = z.toJSONSchema(schema, {
      io: direction,
      metadata: metadata as never,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { json, keywords } = documentation.get(zodSchema as unknown as z.ZodType) ?? {};
        if (json) for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key];
        Object.assign(jsonSchema, json, keywords);
      },
    });
    for (const [name, definition] of Object.entries($defs)) {
      const { id: _id, ...component } = rewrite(definition, direction) as Record<string, unknown>;
      keep(name, component);
    }
    const whole = rewrite(written, direction) as Record<string, unknown>;
    const { id: name } = metadata.get(schema);
    if (typeof name !== 'string' || '$ref' in whole) return whole;
    // Until zod 4.1, a named schema itself is written in place.
    const { id: _id, ...component } = whole;
    return keep(name, component);
  };

  return { write, keep, components };
};

/** @internal */
export type SchemaWriter = ReturnType<typeof createSchemaWriter>;
