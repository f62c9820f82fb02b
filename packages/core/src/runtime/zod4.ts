/** Whether a value is a schema of zod 4. One of zod 3 may have a type that fits, but has other members. @internal */
export const isZod4 = (value: unknown): boolean => '_zod' in Object(value);

/** Follows the name of a value that is none. @internal */
export const zod4Remedy = "is no schema of zod 4. Install zod 4, or import { z } from 'zod/v4' with zod 3.25.";
