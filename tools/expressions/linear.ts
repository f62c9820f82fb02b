// Whether a backtracking engine reads any text in a number of steps that grows with its length, and not with a power of
// it. The engine tries each way in which the expression can read a text that it refuses in the end. There are more ways
// than the text is long if the expression can stay in one loop or move on to another one by the same characters
// (A. Weber and H. Seidl, On the degree of ambiguity of finite automata, 1991).
import { type Expression, type Positions, positionsOf } from './positions.ts';

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const alphabet = [...ascii, '\u0080', 'é', '\u2028', '家'];

/** The search for the first place that matches is a loop before the expression. */
const search = -1;

interface Automaton {
  readonly states: readonly number[];
  /** By state and kind of character: the next states, each with the number of ways to get there. */
  readonly steps: ReadonlyMap<number, readonly (readonly (readonly [state: number, ways: number])[])[]>;
}

/** The steps from a position by a character to the next ones, without those that end in a match. */
const automatonOf = ({ atoms, follow, firstLater, accepts }: Positions): Automaton => {
  const fits = (state: number, character: string) => state === search || atoms[state]?.test(character) === true;
  const isLive = (state: number) => state === search || accepts[state] !== true;
  const targets = (state: number): (readonly [number, number])[] =>
    state === search ? [[search, 1], ...firstLater] : [...(follow[state] ?? [])];
  const states = [search, ...atoms.keys()].filter(isLive);
  // One character stands for all that the same positions read.
  const kinds = new Map(alphabet.map((each) => [states.map((state) => (fits(state, each) ? 1 : 0)).join(''), each]));
  const steps = states.map((state) => {
    const live = targets(state).filter(([to]) => isLive(to));
    return [state, [...kinds.values()].map((character) => live.filter(([to]) => fits(to, character)))] as const;
  });
  return { states, steps: new Map(steps) };
};

type Tuple = readonly number[];

/** Whether a tuple like `isGoal` can be reached from one, when each place reads the same characters. */
const reaches = (start: Tuple, { steps }: Automaton, isGoal: (tuple: Tuple) => boolean): boolean => {
  const [seen, open] = [new Set<string>(), [start]];
  for (let tuple = open.pop(); tuple; tuple = open.pop()) {
    const byKind = tuple.map((state) => steps.get(state) ?? []);
    for (const kind of byKind[0]?.keys() ?? []) {
      let nexts: Tuple[] = [[]];
      for (const place of byKind)
        nexts = nexts.flatMap((begun) => (place[kind] ?? []).map(([to]): Tuple => [...begun, to]));
      for (const next of nexts) {
        if (isGoal(next)) return true;
        const key = next.join();
        if (!seen.has(key)) open.push(next);
        seen.add(key);
      }
    }
  }
  return false;
};

const problemOf = (automaton: Automaton): string | undefined => {
  const leadsTo = (from: number, goal: number) => reaches([from], automaton, ([state]) => state === goal);
  const loops = automaton.states.filter((state) => leadsTo(state, state));
  for (const state of loops) {
    const isTwice = ([to, ways]: readonly [number, number]) => ways > 1 && (to === state || leadsTo(to, state));
    if (automaton.steps.get(state)?.flat().some(isTwice)) return 'exponential: a loop stands within a loop';
    const returns = ([a, b]: Tuple) =>
      a !== b && reaches([a, b] as Tuple, automaton, ([c, d]) => c === state && d === state);
    if (reaches([state, state], automaton, returns)) return 'exponential: two ways lead through one loop';
  }
  for (const from of loops)
    for (const to of loops)
      if (from !== to && reaches([from, from, to], automaton, ([a, b, c]) => a === from && b === to && c === to))
        return from === search
          ? 'quadratic: it is tried at each place'
          : 'quadratic: two loops read the same characters';
  return undefined;
};

/** Why an expression is not linear; `undefined` when it is. A bounded repetition counts as a constant. */
export const whyNotLinear = (expression: Expression): string | undefined => {
  const positions = positionsOf(expression);
  // What looks ahead is tried wherever the expression is.
  const isAnchored = positions.firstLater.size === 0;
  const lookarounds = positions.lookarounds.map((source) =>
    whyNotLinear({ source: isAnchored ? `^(?:${source})` : source, flags: expression.flags }),
  );
  return lookarounds.find((why) => why !== undefined) ?? problemOf(automatonOf(positions));
};
