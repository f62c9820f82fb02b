import { brand, hasBrand, isDate } from '../../base/runtime/brand.ts';
import { deepest, type Shape } from './schema-shape.ts';

/** The leaves that one event type sends, as a tree. */
export interface Selection {
  /** A scalar here is sent. */
  scalar: boolean;
  /** An object here is sent whole. */
  whole: boolean;
  /** An object here is an error: the schema does not declare its fields. */
  opaque: boolean;
  /** The selected fields. */
  readonly fields: Map<string, Selection>;
}

const emptySelection = (): Selection => ({ scalar: false, whole: false, opaque: false, fields: new Map() });

/** Adds one leaf to a selection. @throws TypeError when the path names no leaf of the schema. */
const addLeaf = (selection: Selection, shape: Shape, path: string): void => {
  const keys = path.split('.');
  if (keys.length > deepest) throw new TypeError(`"${path}" lies deeper than ${deepest} levels.`);
  let place = selection;
  let here: Shape | undefined = shape;
  for (const key of keys) {
    const below: Shape | undefined = here?.fields.get(key);
    if (here && !below && !here.opaque) throw new TypeError(`"${path}" is not in the schema.`);
    let next = place.fields.get(key);
    if (!next) {
      next = emptySelection();
      place.fields.set(key, next);
    }
    place = next;
    here = below;
  }
  const isLeaf = !here || here.leaf || here.open || here.opaque;
  if (!isLeaf) {
    const below = [...(here?.fields.keys() ?? [])].map((key) => `"${path}.${key}"`);
    throw new TypeError(
      below.length > 0
        ? `"${path}" is not a leaf: name ${below.join(', ')} as needed.`
        : `"${path}" is not a leaf, and its fields lie deeper than ${deepest} levels.`,
    );
  }
  place.scalar = true;
  place.whole = here?.open ?? false;
  place.opaque = !here || here.opaque;
};

/** @throws TypeError that names a path that is not a leaf of the schema. */
export const selectLeaves = (shape: Shape, paths: Iterable<string>): Selection => {
  const selection = emptySelection();
  addLeaf(selection, shape, 'id');
  for (const path of paths) addLeaf(selection, shape, path);
  return selection;
};

/** The data cannot be written as JSON without changing its meaning. */
export class UnsendableData extends Error {
  override readonly name = 'UnsendableData';
  /** Where it is in the data. */
  readonly path: readonly string[];
  /** The rule that it breaks. */
  readonly detail: string;
  constructor(path: readonly string[], detail: string) {
    super(`${['data', ...path].join('.')}: ${detail}`);
    this.path = path;
    this.detail = detail;
    brand(this, 'UnsendableData');
  }
}

export const isUnsendable = (cause: unknown): cause is UnsendableData => hasBrand(cause, 'UnsendableData');

const dropped = Symbol('dropped');
/** Deeper data is assumed to be a cycle. */
const deepestData = 64;

/** JSON can escape a lone surrogate, but PHP, Ruby, jq and `jsonb` of PostgreSQL refuse to parse it. */
const halfPair = 'holds half of a surrogate pair; cut text between characters, or use toWellFormed().';

/** Stands between the keys of a path: a key may have a point. */
const between = '\u0000';

const refuse = (path: string, what: string): never => {
  throw new UnsendableData(path.split(between), what);
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** A JSON scalar; `undefined` when the value is not a scalar. @throws UnsendableData */
const scalarOf = (value: unknown, path: string): string | number | boolean | undefined => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : refuse(path, `the text ${halfPair}`);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(path, `${value} has no form in JSON.`);
    case 'bigint':
      return refuse(path, 'a BigInt has no form in JSON; publish a number or a text.');
    case 'function':
    case 'symbol':
      return refuse(path, `a ${typeof value} has no form in JSON.`);
    default:
      if (isDate(value)) refuse(path, 'a Date has no form in JSON; publish a number or a text.');
      return undefined;
  }
};

/** Maps an array, holes included: JSON would turn them into null. */
const items = (value: readonly unknown[], path: string, map: (item: unknown, path: string) => unknown): unknown[] =>
  Array.from(value, (item, index) => {
    const at = `${path}${between}${index}`;
    return item === undefined ? refuse(at, 'undefined has no form in JSON.') : map(item, at);
  });

const copyWhole = (value: unknown, path: string, depth: number): unknown => {
  if (depth > deepestData) refuse(path, 'nested too deeply.');
  if (value === null || value === undefined) return value;
  const scalar = scalarOf(value, path);
  if (scalar !== undefined) return scalar;
  if (Array.isArray(value)) return items(value, path, (item, at) => copyWhole(item, at, depth + 1));
  if (!isPlain(value as object)) refuse(path, 'only plain objects can be published.');
  const entries = Object.entries(value as object).filter(([, item]) => item !== undefined);
  if (!entries.every(([key]) => key.isWellFormed())) refuse(path, `a key ${halfPair}`);
  return Object.fromEntries(entries.map(([key, item]) => [key, copyWhole(item, `${path}${between}${key}`, depth + 1)]));
};

const projectValue = (value: unknown, selection: Selection, path: string, depth: number): unknown => {
  if (value === null) return null;
  if (Array.isArray(value)) {
    if (depth > deepestData) refuse(path, 'nested too deeply.');
    const kept = items(value, path, (item, at) => projectValue(item, selection, at, depth + 1));
    return kept.filter((item) => item !== dropped);
  }
  if (typeof value !== 'object') {
    // A union may have a scalar where another variant has the object with the selected leaves.
    return selection.scalar ? scalarOf(value, path) : dropped;
  }
  if (isDate(value) && selection.scalar) scalarOf(value, path);
  if (selection.whole) return copyWhole(value, path, depth);
  if (selection.fields.size > 0) return projectFields(value, selection, path, depth);
  if (selection.opaque)
    refuse(path, 'a transform made an object here; declare it with .pipe(z.object(…)) and name its leaves.');
  if (selection.scalar && !isPlain(value)) refuse(path, 'only plain objects can be published.');
  // An object of another variant of a union, without selected leaves.
  return dropped;
};

const projectFields = (value: object, selection: Selection, path: string, depth: number): object => {
  const projected: Record<string, unknown> = {};
  for (const [key, below] of selection.fields) {
    const field: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (field === undefined) continue;
    const kept = projectValue(field, below, path === '' ? key : `${path}${between}${key}`, depth + 1);
    if (kept !== dropped) projected[key] = kept;
  }
  return projected;
};

/**
 * The selected part of `data`, in the order of the selection.
 * @throws UnsendableData
 */
export const project = (data: object, selection: Selection): object => projectFields(data, selection, '', 0);
