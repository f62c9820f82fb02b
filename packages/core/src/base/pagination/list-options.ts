import { unknownName } from '../runtime/did-you-mean.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import type { PageRequest } from './page.ts';

/**
 * The page of a list, beside its filters.
 * @public
 */
export interface ListOptions {
  /** The page to read. @defaultValue the first page, oldest first */
  readonly page?: PageRequest;
}

const pageNames = ['after', 'limit', 'newestFirst'] satisfies (keyof PageRequest)[];

/** @throws TypeError that names the unknown option of a list or of its page. */
export const assertListOptions = (caller: string, options: ListOptions, filters: Readonly<Record<string, true>>) => {
  assertOptionNames(caller, options, { ...filters, page: true });
  const { page } = options;
  if (page === undefined) return;
  if (typeof page !== 'object' || page === null) throw new TypeError(`${caller}: page is an object.`);
  const unknown = unknownName('option', page, pageNames);
  if (unknown !== undefined) throw new TypeError(`${caller}: page: ${unknown}`);
};
