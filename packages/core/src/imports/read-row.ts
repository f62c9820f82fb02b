import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import { type InvalidInput, invalidInput, type WrongField } from '../runtime/failure.ts';

/** Reads a row. The failure names each wrong field and quotes no value. @internal */
export const readRow = <S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>, InvalidInput> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const [first, ...more] = parsed.error.issues.map(({ path, message }) => ({
    pointer: path.map((key) => `/${String(key)}`).join(''),
    detail: message,
  })) as [WrongField, ...WrongField[]];
  return err(invalidInput(first, ...more));
};
