import { assertOptions, every, exactly, must, optional } from '../../base/runtime/option-rules.ts';
import { isZod4, zod4Remedy } from '../../base/runtime/zod4.ts';
import { forEachKind } from '../record/names.ts';

const objectSchema = optional(
  every(
    must(zod4Remedy, isZod4),
    must('must be an object schema of zod.', (schema) => 'shape' in (schema as object)),
  ),
);

export const extensionsRule = exactly(forEachKind(() => objectSchema));

/** @throws TypeError that names each wrong schema. */
export const assertExtensions = (extensions: unknown): void =>
  assertOptions('extendRequestObjects', extensionsRule, extensions);
