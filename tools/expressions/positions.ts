// Reads a regular expression as its positions (Glushkov): each is a place that consumes one character.

/** A regular expression. */
export type Expression = Pick<RegExp, 'source' | 'flags'>;

/** Positions, with the number of ways to get to each. */
type Ways = ReadonlyMap<number, number>;

export interface Positions {
  /** What each position consumes. */
  readonly atoms: readonly RegExp[];
  /** The positions after each. */
  readonly follow: readonly Ways[];
  /** The first positions, at another place than the start of the text. */
  readonly firstLater: Ways;
  /** Whether the whole expression matches after a position, whatever follows. */
  readonly accepts: readonly boolean[];
  /** The sources of what looks ahead or behind. */
  readonly lookarounds: readonly string[];
}

type Tree =
  | { readonly kind: 'atom' | 'assert' | 'look'; readonly source: string }
  | { readonly kind: 'any' | 'all'; readonly parts: readonly Tree[] }
  | { readonly kind: 'loop'; readonly inner: Tree; readonly isOptional: boolean; readonly isLoop: boolean };

const parse = (source: string): Tree => {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    const [found] = new RegExp(pattern.source, 'y').exec(source.slice(at)) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  const alternatives = (): Tree => {
    const all = [sequence()];
    while (take(/\|/)) all.push(sequence());
    return { kind: 'any', parts: all };
  };
  const sequence = (): Tree => {
    const parts: Tree[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified());
    return { kind: 'all', parts };
  };
  const single = (): Tree => {
    const look = take(/\(\?<?[=!]/);
    if (look) {
      const from = at;
      alternatives();
      const body = source.slice(from, at);
      take(/\)/);
      return { kind: 'look', source: body };
    }
    if (take(/\((\?:|\?<\w+>)?/)) {
      const inner = alternatives();
      take(/\)/);
      return inner;
    }
    const assert = take(/\^|\$|\\[bB]/);
    if (assert) return { kind: 'assert', source: assert };
    // What was captured has a fixed length where it is compared.
    if (take(/\\[1-9]|\\k<\w+>/)) return { kind: 'all', parts: [] };
    const atom = take(
      /\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{\w+\}|[\s\S])|[\s\S]/i,
    );
    return { kind: 'atom', source: atom ?? '' };
  };
  const quantified = (): Tree => {
    const inner = single();
    const [, least, comma, most] = /^\{(\d+)(,)?(\d*)\}$/.exec(take(/\{\d+(,\d*)?\}/) ?? '') ?? [];
    const sign = least === undefined ? take(/[*+?]/) : undefined;
    if (least === undefined && sign === undefined) return inner;
    take(/\?/);
    const isOptional = sign === '*' || sign === '?' || Number(least) === 0;
    // A bounded repetition costs at most its bound.
    const isLoop = sign === '*' || sign === '+' || (comma !== undefined && most === '');
    return { kind: 'loop', inner, isOptional, isLoop };
  };
  return alternatives();
};

interface Edge {
  readonly to: number;
  readonly atom?: number;
  readonly assert?: string;
}

/** Reads an expression, by way of an automaton whose other edges consume nothing. */
export const positionsOf = ({ source, flags }: Expression): Positions => {
  const atoms: RegExp[] = [];
  const edges: Edge[][] = [];
  const lookarounds: string[] = [];
  const caseAndDots = flags.replace(/[^isu]/g, '');
  const node = (): number => edges.push([]) - 1;
  const join = (from: number, to: number, more: Omit<Edge, 'to'> = {}): void => {
    edges[from]?.push({ to, ...more });
  };
  const build = (tree: Tree, from: number, to: number): void => {
    switch (tree.kind) {
      case 'atom':
        join(from, to, { atom: atoms.push(new RegExp(`^${tree.source}$`, caseAndDots)) - 1 });
        return;
      case 'assert':
        join(from, to, { assert: tree.source });
        return;
      case 'look':
        lookarounds.push(tree.source);
        join(from, to);
        return;
      case 'any':
        for (const part of tree.parts) build(part, from, to);
        return;
      case 'all': {
        let last = from;
        for (const part of tree.parts) {
          const next = node();
          build(part, last, next);
          last = next;
        }
        join(last, to);
        return;
      }
      case 'loop': {
        const [start, end] = [node(), node()];
        join(from, start);
        build(tree.inner, start, end);
        if (tree.isLoop) join(end, start);
        if (tree.isOptional) join(from, to);
        join(end, to);
      }
    }
  };
  const [begin, end] = [node(), node()];
  build(parse(source), begin, end);

  /** The atoms that can be next, and whether the end is near without looking for the end of the text. */
  const next = (from: number) => {
    const found = new Map<number, number>();
    let accepts = false;
    const walk = (at: number, seen: ReadonlySet<number>): void => {
      if (at === end) accepts = true;
      for (const { to, atom, assert } of edges[at] ?? []) {
        if (atom !== undefined) found.set(atom, (found.get(atom) ?? 0) + 1);
        else if (!seen.has(to) && assert !== '$' && (assert !== '^' || flags.includes('m')))
          walk(to, new Set([...seen, to]));
      }
    };
    walk(from, new Set([from]));
    return { found, accepts };
  };
  const after: ReturnType<typeof next>[] = [];
  for (const { to, atom } of edges.flat()) if (atom !== undefined) after[atom] = next(to);
  return {
    atoms,
    follow: after.map(({ found }) => found),
    accepts: after.map(({ accepts }) => accepts),
    // A sticky expression is tried at one place alone.
    firstLater: flags.includes('y') ? new Map() : next(begin).found,
    lookarounds,
  };
};
