import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import { type InvalidInput, invalidInput, type WrongField } from './failure.ts';
import { ownMembers } from './own-members.ts';

/** How many wrong fields a refusal names. */
export const maxErrors = 32;
/** The JSON Pointer (RFC 6901) of a path. It quotes at most 64 characters of a key. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const fieldsOf = (issue: z.core.$ZodIssue): readonly WrongField[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: 'no such field.' }));
  // The key's own schema has the better message.
  if (issue.code === 'invalid_key')
    return [{ pointer: pointerOf(issue.path), detail: issue.issues[0]?.message ?? issue.message }];
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
  const detail = issue.code === 'invalid_type' && issue.path.length === 0 ? 'an object.' : issue.message;
  return [{ pointer: pointerOf(issue.path), detail: missing ? `missing: ${detail}` : detail }];
};

/** The wrong fields, each sentence once: a number that is too large breaks two rules of one sentence. */
const wrongFields = (issues: readonly z.core.$ZodIssue[]): readonly WrongField[] => {
  const fields = new Map<string, WrongField>();
  for (const field of issues.flatMap(fieldsOf)) fields.set(`${field.pointer} ${field.detail}`, field);
  return [...fields.values()].slice(0, maxErrors);
};

/** Reads an input by its schema. The refusal points at each wrong field and quotes no value. */
export const readInput = <S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>, InvalidInput> => {
  const parsed = schema.safeParse(ownMembers(input), { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = wrongFields(parsed.error.issues) as [WrongField, ...WrongField[]];
  return err(invalidInput(first, ...rest));
};
