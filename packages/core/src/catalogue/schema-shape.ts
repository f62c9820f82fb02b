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

/** The shape of a schema's output. @internal */
export const shapeOf = (schema: z.core.$ZodType, depth = 0): Shape => {
  const shape = emptyShape();
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'object':
      for (const [key, field] of Object.entries(def.shape)) {
        if (key.includes('.') || key === '__proto__')
          throw new TypeError(`The field "${key}" cannot be named in a group: rename it in the schema.`);
        if (depth < deepest) shape.fields.set(key, shapeOf(field, depth + 1));
      }
      // `z.object({})` has no leaves below it: it is one itself.
      shape.leaf = shape.fields.size === 0;
      break;
    case 'array':
      merge(shape, shapeOf(def.element, depth));
      break;
    case 'tuple':
      for (const item of def.items) merge(shape, shapeOf(item, depth));
      if (def.rest) merge(shape, shapeOf(def.rest, depth));
      break;
    case 'union':
      for (const option of def.options) merge(shape, shapeOf(option, depth));
      break;
    case 'intersection':
      merge(shape, shapeOf(def.left, depth));
      merge(shape, shapeOf(def.right, depth));
      break;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      merge(shape, shapeOf(def.innerType, depth));
      break;
    case 'lazy':
      merge(shape, depth < deepest ? shapeOf(def.getter(), depth + 1) : emptyShape());
      break;
    case 'pipe':
      merge(shape, shapeOf(def.out, depth));
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
