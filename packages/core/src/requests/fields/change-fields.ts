import { err, ok, type Result } from '#result';
import { isSame, mergePatch } from '../../base/fields/merge-patch.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import { fitsMetadata, isPeriod, metadataRule } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/**
 * Changes fields by RFC 7396: `null` removes a field, objects are merged. Returns the same object when nothing changes.
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
