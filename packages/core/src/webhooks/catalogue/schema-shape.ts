import type { z } from 'zod';

/** The kinds of values at a place of a schema, for serialization groups. A union can have several kinds. */
export interface Shape {
  /** A text, number, boolean or null: groups can name it. */
  leaf: boolean;
  /** An object with free keys (`z.record`, `z.unknown`): groups can name it, and it is sent whole. */
  open: boolean;
  /** The output of a transform: its kind is unknown until run time. */
  opaque: boolean;
  /** The declared fields of an object; an array counts as its elements. */
  readonly fields: Map<string, Shape>;
}

/** Maximum depth of a path, as in {@link LeafPath}. */
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
 * The shape of the output of a schema. `within` lists the lazy schemas since the nearest object: a schema that contains
 * itself without an object between adds nothing.
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
      // Without declared fields, the object is a leaf; it is sent whole if it allows other keys.
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
