import type { z } from 'zod';

/**
 * What a place in a schema may hold, as far as the serialization groups must know. A union may be several at once.
 * @internal
 */
export interface Shape {
  /** A text, number, boolean or null: may be named. */
  leaf: boolean;
  /** An object with free keys (`z.record`, `z.unknown`): may be named, and leaves whole. */
  open: boolean;
  /** What comes out of a transform: unknown until it is seen. */
  opaque: boolean;
  /** The declared fields of an object; an array counts as its elements. */
  readonly fields: Map<string, Shape>;
}

/** As many levels as {@link LeafPath} can name. @internal */
export const deepest = 5;

const emptyShape = (): Shape => ({ leaf: false, open: false, opaque: false, fields: new Map() });

const merge = (into: Shape, from: Shape): void => {
  into.leaf ||= from.leaf;
  into.open ||= from.open;
  into.opaque ||= from.opaque;
  for (const [key, field] of from.fields) {
    const known = into.fields.get(key);
    if (known) merge(known, field);
    else into.fields.set(key, field);
  }
};

type Def = z.core.$ZodTypes['_zod']['def'];

const checkedKey = (key: string): string => {
  if (!key.includes('.') && key !== '__proto__' && key.isWellFormed()) return key;
  throw new TypeError(`The field "${key}" cannot be named in a group: rename it in the schema.`);
};

/**
 * The shape of a schema's output. `within` holds the lazy schemas on the way from the nearest object: a schema that leads to
 * itself without one adds nothing.
 * @internal
 */
export const shapeOf = (schema: z.core.$ZodType, depth = 0, within: readonly z.core.$ZodType[] = []): Shape => {
  const shape = emptyShape();
  const def = schema._zod.def as Def;
  const mergeAll = (parts: readonly z.core.$ZodType[]): void => {
    for (const part of parts) merge(shape, shapeOf(part, depth, within));
  };
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape);
      for (const [key, field] of fields) {
        checkedKey(key);
        if (depth < deepest) shape.fields.set(key, shapeOf(field, depth + 1));
      }
      // Without fields it is a leaf itself, with all its keys where it takes any.
      shape.leaf = fields.length === 0;
      shape.open = fields.length === 0 && def.catchall !== undefined;
      break;
    }
    case 'array':
      mergeAll([def.element]);
      break;
    case 'tuple':
      mergeAll(def.rest ? [...def.items, def.rest] : def.items);
      break;
    case 'union':
      mergeAll(def.options);
      break;
    case 'intersection':
      mergeAll([def.left, def.right]);
      break;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      mergeAll([def.innerType]);
      break;
    case 'lazy':
      if (!within.includes(schema)) merge(shape, shapeOf(def.getter(), depth, [...within, schema]));
      break;
    case 'pipe':
      mergeAll([def.out]);
      break;
    case 'record':
    case 'map':
    case 'any':
    case 'unknown':
      shape.open = true;
      break;
    case 'transform':
    case 'custom':
    case 'promise':
    case 'function':
      shape.opaque = true;
      break;
    default:
      shape.leaf = true;
  }
  return shape;
};
