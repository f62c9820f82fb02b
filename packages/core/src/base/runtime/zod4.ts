import type { z } from 'zod';

interface ZodKinds {
  readonly object: z.ZodObject;
  readonly record: z.ZodRecord;
  readonly optional: z.ZodOptional;
  readonly nullable: z.ZodNullable;
  readonly default: z.ZodDefault;
}

/** Whether a value is a schema of zod 4. One of zod 3 may have a type that fits, but has other members. */
export const isZod4 = (value: unknown): boolean => '_zod' in Object(value);

/**
 * Whether a schema is of a kind of zod, such as `object`. Read from its definition: two copies of zod have two classes.
 */
export const isSchemaOf = <K extends keyof ZodKinds>(schema: z.core.$ZodType, kind: K): schema is ZodKinds[K] =>
  schema._zod.def.type === kind;

/** Follows the name of a value that is none. */
export const zod4Remedy = "is no schema of zod 4. Install zod 4, or import { z } from 'zod/v4' with zod 3.25.";
