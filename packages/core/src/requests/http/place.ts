import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { Right } from '../../base/accounts/rights.ts';
import { failure } from '../../base/runtime/failure.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { isSchemaOf } from '../../base/runtime/zod4.ts';
import type { ServedKind } from '../commands/effects.ts';
import { findObject } from '../commands/read-objects.ts';
import type { Command, CommandRule, Parent } from '../kinds/define-kind.ts';
import { rulesOf } from '../kinds/machines.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';

/** The values of a path. */
export type Params = Readonly<Record<string, string>>;

/** A path at which partners reach the objects of a kind. */
export interface Place<Tx extends object> {
  /** The kind with its store. */
  readonly of: ServedKind<Tx>;
  /** The path below the account. Objects are at `/:id`. */
  readonly path: string;
  /** The name in the OpenAPI document: singular, in Pascal case. */
  readonly name: string;
  /** The commands served below the path. */
  readonly rules: Readonly<Record<string, CommandRule>>;
  /** The filters that only some lists have. */
  readonly filters: readonly string[];
  /** The parent that the path names. */
  readonly parent?: Parent;
}

/** The paths of a kind: below the account, and below its parent, where its commands are served. */
export const placesOf = <Tx extends object>(of: ServedKind<Tx>): readonly Place<Tx>[] => {
  const { name, path, filters, parent } = of.kind;
  const rules = rulesOf(of.kind);
  if (!parent) return [{ of, path, name, rules, filters }];
  const within = `${parent.kind.path}/:${parent.field}/${path}`;
  return [
    { of, path: within, name, rules, filters: [], parent },
    { of, path, name: `Account${name}`, rules: {}, filters },
  ];
};

/** The right that an API key needs at a place. */
export const rightAt = ({ of }: Place<object>, access: 'read' | 'write'): Right => `${of.kind.part}:${access}`;

/** Maximum size of a body. The longest input without the host's own fields has about 20 KiB. */
export const maxBodyBytes = 64 * 1_024;

/** The paths of a place, below the partner's base path. */
export const pathsOf = ({ path }: Place<object>) => {
  const collection = `/organisations/:organisationId/${path}` as const;
  return { collection, one: `${collection}/:id` as const };
};

const fieldOf = (record: object, field: string): unknown => (record as Readonly<Record<string, unknown>>)[field];

/** Finds the object that a path names. */
export const findIn = async <Tx extends object>(
  { of, parent }: Place<Tx>,
  account: AccountRef,
  params: Params,
): Promise<Result<StoredRequest, CommandRefusal>> => {
  const found = await findObject(of, account, params['id'] ?? '');
  return found.andThen((record) =>
    parent && fieldOf(record, parent.field) !== params[parent.field] ? err(failure('not_found')) : ok(record),
  );
};

/** The input that creates an object at a place: the path names the parent. */
export const inputIn = <Tx extends object>(
  { parent }: Place<Tx>,
  params: Params,
  input: unknown,
): Result<unknown, CommandRefusal> => {
  if (!parent || !isObject(input)) return ok(input);
  if (Object.hasOwn(input, parent.field)) return err(wrongField(`/${parent.field}`, 'no such field.'));
  return ok({ ...input, [parent.field]: params[parent.field] ?? '' });
};

/** The schema of the body of a command, for the document: the path names the parent. */
export const bodyIn = <Tx extends object>({ of: { kind }, parent }: Place<Tx>, command: string): z.ZodType => {
  if (command !== 'create') {
    const { input, body = input } = kind.commands[command] as Command;
    return body;
  }
  const { input, body = input } = kind.create;
  const words = { ...documentation.get(body), name: `${kind.name}Input` };
  if (!parent || !isSchemaOf(body, 'object')) return body.register(documentation, words);
  const { [parent.field]: _parent, ...shape } = body.shape;
  const { [parent.field]: _id, ...example } = (words.example ?? {}) as Readonly<Record<string, unknown>>;
  return z.strictObject(shape).register(documentation, { ...words, example });
};
