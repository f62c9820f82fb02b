/**
 * What a value is, whichever copy or realm made it. `instanceof` fails between the CommonJS and the ESM build of a
 * package, between its entries, for a replaced global (`Promise` of zone.js), and in the sandbox of Jest.
 */

const symbolOf = (name: string): symbol => Symbol.for(`partnerkit.${name}`);

/** Marks an error as one of a class, for every copy of it. Subclasses keep the mark. */
export const brand = (error: Error, name: string): void => {
  Object.defineProperty(error, symbolOf(name), { value: true });
};

/** Whether a value has the mark of a class. */
export const hasBrand = <T extends Error>(value: unknown, name: string): value is T => symbolOf(name) in Object(value);

/** The tag of what JavaScript made, in any realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** Whether a value is an error. */
export const isError = (value: unknown): value is Error => ['Error', 'DOMException'].includes(tagOf(value));

/** Whether a value is a `TypeError`, by its name. */
export const isTypeError = (value: unknown): value is TypeError => isError(value) && value.name === 'TypeError';

/** Whether a value is thenable: a promise of any library. */
export const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function';

/** Whether a value is a list of bytes, such as a `Uint8Array` or a `Buffer`. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && (value as Partial<Uint8Array>).BYTES_PER_ELEMENT === 1;

/** Whether a value is a `Date`. */
export const isDate = (value: unknown): value is Date => tagOf(value) === 'Date';
