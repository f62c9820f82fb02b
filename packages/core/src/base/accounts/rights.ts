/** The scope of everything that a client may do (specification §4.1). */
export const requiredScope = 'USER';

/**
 * What an API key may do: `read` or `write` with a part of the partner API, such as `requests:read`. `write` includes
 * `read`. It is also a scope (RFC 6749 §3.3).
 *
 * - `requests`: payment requests, security deposits, and the transactions of both.
 * - `templates`: templates of both.
 * - `cash_outs`: cash-outs, and uploads of evidence.
 * - `webhooks`: endpoints, their secrets and deliveries.
 * - `events`: stored events and pull endpoints; `write` sends test events, and events again.
 * - Any other part is one of the host's own routes, which the option `api.rights` names.
 * @public
 */
export type Right = `${string}:${'read' | 'write'}`;

/** The right that a route needs. `none`: every API key of the account may call it. @public */
export type NeededRight = Right | 'none';

/** The parts that the library has. */
const rightParts = ['requests', 'templates', 'cash_outs', 'webhooks', 'events'] as const;

export const partForm = /^[a-z][a-z0-9_]{0,30}$/;
export const rightForm = /^[a-z][a-z0-9_]{0,30}:(?:read|write)$/;

export const isRight = (text: unknown): text is Right => typeof text === 'string' && rightForm.test(text);

/** Whether rights include one: `write` includes `read`. */
const includesRight = (rights: readonly string[], needed: Right): boolean =>
  rights.includes(needed) || (needed.endsWith(':read') && rights.includes(needed.replace(/read$/, 'write')));

/** The rights of a scope, a list separated by spaces (RFC 6749 §3.3). `undefined`: everything that the client may. */
const rightsOfScope = (scope: string): readonly Right[] | undefined => {
  const words = scope.split(' ');
  return words.includes(requiredScope) ? undefined : words.filter(isRight);
};

/**
 * Whether a client may do something with a token of this scope. It is asked at each request, of the stored client: a
 * right that was taken away is gone although the token lives. `'no_scope'`: the scope names neither `USER` nor a right.
 */
export const mayCall = (
  { rights }: { readonly rights?: readonly Right[] },
  scope: string,
  needed: NeededRight,
): boolean | 'no_scope' => {
  const granted = scope === requiredScope ? undefined : rightsOfScope(scope);
  if (granted?.length === 0) return 'no_scope';
  if (needed === 'none') return true;
  return [rights, granted].every((each) => each === undefined || includesRight(each, needed));
};

/** The rights of a kit. */
export interface Rights {
  /** Those that keys can be given: on the parts of the library and of the host. */
  readonly all: readonly Right[];
  /** Notes a right that a route needs. @throws TypeError when its part is unknown. */
  serve(right: NeededRight): void;
  /** Those that routes need, and those of the host's parts, in the order of `all`. */
  served(): readonly Right[];
}

const ofParts = (parts: readonly string[]): readonly Right[] =>
  parts.flatMap((part): readonly Right[] => [`${part}:read`, `${part}:write`]);

/** @param own - The parts of the host. */
export const createRights = (own: readonly string[] = []): Rights => {
  const all = [...new Set(ofParts([...rightParts, ...own]))];
  const served = new Set<Right>(ofParts(own));
  return {
    all,
    serve: (right) => {
      if (right === 'none') return;
      if (!all.includes(right)) throw new TypeError(`right: "${right}": name its part in the option api.rights.`);
      served.add(right);
    },
    served: () => all.filter((right) => served.has(right)),
  };
};
