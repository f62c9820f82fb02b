import { z } from 'zod';
import { assertOptions, exactly } from '../../base/runtime/option-schemas.ts';
import { isZod4, zod4Remedy } from '../../base/runtime/zod4.ts';
import { forEachKind } from '../record/names.ts';

const objectSchema = z
  .custom<object>(isZod4, zod4Remedy)
  .pipe(z.custom<z.ZodObject>((schema) => 'shape' in (schema as object), 'must be an object schema of zod.'))
  .optional();

export const extensionsSchema = exactly(forEachKind(() => objectSchema));

/** @throws TypeError that names each wrong schema. */
export const assertExtensions = (extensions: unknown): void =>
  assertOptions('extendRequestObjects', extensionsSchema, extensions);
