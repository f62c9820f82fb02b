import { payment, type RequestOptions } from './client.ts';

/** A request that must be refused. */
export interface BadRequest {
  readonly wrong: string;
  /** The wrong value itself, when a case has several. */
  readonly value?: string;
  readonly method: string;
  /** Path below the account. Names in braces, such as `{payment}`, stand for existing objects. */
  readonly path: string;
  readonly request: RequestOptions;
  readonly status: number;
  readonly code: string;
  /** The wrong fields or parameters that the problem names. */
  readonly names?: readonly string[];
}

/** A value as it appears in the name of a case. */
export const shortly = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? 'nothing').replace(
    // JSON keeps these characters, and terminals interpret them.
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  );
  if (typeof value === 'string' && text.length > 60) return `"${value.slice(0, 8)}…" (${value.length} characters)`;
  return text.length > 60 ? `${text.slice(0, 30)}… (${text.length} characters)` : text;
};

/** A body with wrong fields. */
export const wrongBody = (
  wrong: string,
  method: string,
  path: string,
  body: unknown,
  ...names: readonly string[]
): BadRequest => ({ wrong, method, path, request: { body }, status: 400, code: 'invalid_input', names });

/** A payment request with wrong fields. */
export const wrongPayment = (wrong: string, change: object, ...names: readonly string[]): BadRequest =>
  wrongBody(`a payment request with ${wrong}`, 'POST', 'payment-requests', { ...payment, ...change }, ...names);

/** One field of a body, with each of these values. */
export const wrongValues = (
  what: string,
  [method, path]: readonly [method: string, path: string],
  body: object,
  values: Readonly<Record<string, readonly unknown[]>>,
): readonly BadRequest[] =>
  Object.entries(values).flatMap(([name, each]) =>
    each.map((value) => ({
      ...wrongBody(`${what} with the ${name}`, method, path, { ...body, [name]: value }, pointerOf(name, value)),
      value: shortly(value),
    })),
  );

/** The JSON pointer to the wrong value: from {@link at}, or the field itself. */
const pointerOf = (name: string, value: unknown): string => {
  const pointer = typeof value === 'object' && value !== null ? places.get(value) : undefined;
  return `/${name}${pointer ?? ''}`;
};
const places = new WeakMap<object, string>();

/** Marks the place within a value that is wrong. */
export const at = (pointer: string, value: object): object => {
  places.set(value, pointer);
  return value;
};

/** The fault of a request, and the wrong value. */
export const nameOf = ({ wrong, value }: BadRequest): string => (value === undefined ? wrong : `${wrong} ${value}`);

/** A body that is sent to a path. */
export const withBody = (method: string, path: string, body: unknown, ...names: readonly string[]): BadRequest => ({
  ...wrongBody(`${method} ${path} with`, method, path, body, ...names),
  value: shortly(body),
});

/** A command. */
export const give = (path: string, body: unknown, ...names: readonly string[]): BadRequest =>
  withBody('POST', path, body, ...names);

/** A wrong reason: as a whole, then each of its fields, beside an unknown one. */
export const wrongReason = (path: string, body: object = {}): readonly BadRequest[] => [
  give(path, { ...body, reason: 'late' }, '/reason'),
  give(path, { ...body, reason: { code: '', text: '' }, x: 1 }, '/reason/code', '/reason/text', '/x'),
];
