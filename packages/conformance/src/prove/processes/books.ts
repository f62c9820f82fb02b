import { groupBy } from '../../node-20.ts';

/** An event of an object. `n` grows in the order in which the events of the object were committed. */
export interface BookedEvent {
  readonly object: string;
  readonly n: number;
  readonly timestamp: number;
}

/** The objects whose timestamps do not strictly increase with their events. */
export const unorderedObjects = (events: Iterable<BookedEvent>): readonly string[] =>
  [...groupBy(events, ({ object }) => object)].flatMap(([object, all]) => {
    const inTurn = all.toSorted((a, b) => a.n - b.n);
    return inTurn.every(({ timestamp }, index) => index === 0 || timestamp > (inTurn[index - 1]?.timestamp ?? 0))
      ? []
      : [object];
  });

/** A text for each broken law, by what breaks it: how many break it, and a few of them. */
export const describeBroken = (breaches: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(breaches).flatMap(([law, found]) =>
    found.length === 0 ? [] : [`${law}: ${found.length} do not, such as ${found.slice(0, 3).join('; ')}`],
  );
