import { err, ok, type Result } from 'neverthrow';
import { isObject } from '../../base/runtime/is-object.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import { fitsMetadata, isPeriod, metadataRule } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** JSON Merge Patch (RFC 7396). `undefined` counts as absent. @internal */
export const mergePatch = (target: Fields, patch: Fields): Fields => {
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const before = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value;
  }
  return merged;
};

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/**
 * Changes fields by RFC 7396: `null` removes a field, objects are merged. Returns the same object when nothing changes.
 * @internal
 */
export const changeFields = <T extends object>(current: T, change: object): Result<T, CommandRefusal> => {
  const { metadata, ...merged } = mergePatch(current as Fields, change as Fields);
  if (isObject(metadata) && !fitsMetadata(metadata)) return err(wrongField('/metadata', metadataRule));
  const stay = merged['stay'];
  if (isObject(stay)) {
    const { from, to } = stay as Readonly<Record<'from' | 'to', string | undefined>>;
    if (from === undefined || to === undefined)
      return err(wrongField(`/stay/${from === undefined ? 'from' : 'to'}`, 'missing: a calendar date.'));
    if (!isPeriod({ from, to }))
      return err(wrongField('/stay', 'an object with from and to, and to is not before from.'));
  }
  const changed = { ...merged, ...(metadata === undefined || isEmpty(metadata) ? {} : { metadata }) };
  const [before, after]: Fields[] = [current as Fields, changed];
  return ok(Object.keys(change).every((key) => isSame(before?.[key], after?.[key])) ? current : (changed as T));
};

/** Whether two values are the same JSON; the order of fields does not count. @internal */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
};
