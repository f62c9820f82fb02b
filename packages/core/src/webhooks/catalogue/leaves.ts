import type { z } from 'zod';
import { type Shape, shapeOf } from './schema-shape.ts';

const walk = ({ fields }: Shape, prefix: string): readonly string[] =>
  [...fields].flatMap(([key, field]) => [
    ...(field.leaf || field.open || field.opaque ? [`${prefix}${key}`] : []),
    ...walk(field, `${prefix}${key}.`),
  ]);

/** The paths of all leaves of a schema, as in serialization groups. */
export const leavesOf = (schema: z.ZodType): readonly string[] => walk(shapeOf(schema), '');
