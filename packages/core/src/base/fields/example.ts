import type { z } from 'zod';
import { documentation } from '#documentation';

/** The schema, with an example for bodies and answers of the document. */
export const withExample = <S extends z.ZodType>(schema: S, example: NonNullable<z.input<S>>): S => {
  documentation.add(schema as z.ZodType, { ...documentation.get(schema), example });
  return schema;
};
