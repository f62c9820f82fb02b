import { z } from 'zod';
import { documentation } from '#documentation';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { exampleKeyword, type JsonSchema, sampleOf } from './sample-value.ts';

export type { JsonSchema } from './sample-value.ts';

/** Whether a schema describes what is sent to the platform, or what the platform sends. */
type Direction = 'input' | 'output';

/** What a host says of its schemas by `.meta()`, and what this library says of its own. */
const metadata = {
  get: (schema: z.ZodType) => {
    const { json: _json, keywords: _keywords, example: _example, name, ...own } = documentation.get(schema) ?? {};
    return { ...z.globalRegistry.get(schema), ...own, ...(name === undefined ? {} : { id: name }) };
  },
  has: (schema: z.ZodType) => z.globalRegistry.has(schema) || documentation.has(schema),
};

const refPrefix = '#/$defs/';
const isNoise = ([key, value]: readonly [string, unknown]): boolean =>
  (key === '$schema' && typeof value === 'string') ||
  key === exampleKeyword ||
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

/** A schema that is written on its own. */
interface Written {
  readonly whole: JsonSchema;
  /** The named schemas within, by name. */
  readonly definitions: readonly (readonly [name: string, definition: JsonSchema])[];
  /** A value of it: its example, or a sample of what is required. */
  readonly example: () => unknown;
}

/** Writing one takes milliseconds, and many operations have the same: each is written once. */
const known: Readonly<Record<Direction, WeakMap<z.ZodType, Written>>> = { input: new WeakMap(), output: new WeakMap() };

const withoutId = ({ id: _id, ...schema }: JsonSchema): JsonSchema => schema;

const writeAlone = (schema: z.ZodType, direction: Direction): Written => {
  const found = known[direction].get(schema);
  if (found) return found;
  const { $defs = {}, ...json } = z.toJSONSchema(schema, {
    io: direction,
    // Of a registry, zod calls no more than these two.
    metadata: metadata as never,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { json, keywords, example } = documentation.get(zodSchema) ?? {};
      if (json) for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key];
      Object.assign(jsonSchema, json, keywords);
      if (example !== undefined)
        (jsonSchema as Record<string, unknown>)[exampleKeyword] = typeof example === 'function' ? example() : example;
    },
  });
  const written = {
    whole: rewrite(json, direction) as JsonSchema,
    definitions: Object.entries($defs).map(
      ([name, definition]) => [name, withoutId(rewrite(definition, direction) as JsonSchema)] as const,
    ),
    example: once(() => sampleOf(json, { isWhole: false, definitions: $defs })),
  };
  known[direction].set(schema, written);
  return written;
};

/** Writes zod schemas as JSON Schemas, and collects those with a name. */
export const createSchemaWriter = () => {
  const components = new Map<string, JsonSchema>();

  const isFree = (name: string, schema: JsonSchema): boolean => {
    const kept = components.get(name);
    return !kept || kept === schema || JSON.stringify(kept) === JSON.stringify(schema);
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
    const { whole, definitions } = writeAlone(schema, direction);
    for (const [name, definition] of definitions) keep(name, definition);
    const { id: name } = metadata.get(schema);
    if (typeof name !== 'string' || '$ref' in whole) return whole;
    // Until zod 4.1, a named schema itself is written in place.
    return keep(name, withoutId(whole));
  };

  /** A value that a schema accepts; `undefined` when its example or sample breaks a rule. */
  const example = (schema: z.ZodType, direction: Direction): unknown => {
    const value = writeAlone(schema, direction).example();
    try {
      return schema.safeParse(value).success ? value : undefined;
    } catch {
      // A rule of the host that throws, or takes its time.
      return undefined;
    }
  };

  return { write, keep, example, components };
};

/** A schema with the named ones in place of their references, which never lead back to it. */
const inlined = (node: unknown, components: ReadonlyMap<string, JsonSchema>): unknown => {
  if (Array.isArray(node)) return node.map((each) => inlined(each, components));
  if (!isObject(node)) return node;
  const { $ref, ...own } = node;
  const named = typeof $ref === 'string' ? components.get($ref.slice($ref.lastIndexOf('/') + 1)) : undefined;
  return Object.fromEntries(
    Object.entries({ ...named, ...own }).map(([key, value]) => [key, inlined(value, components)]),
  );
};

/** Writes a schema of an input that stands alone: without references. */
export const writeInput = (schema: z.ZodType): JsonSchema => {
  const { write, components } = createSchemaWriter();
  return inlined(write(schema, 'input'), components) as JsonSchema;
};

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;
