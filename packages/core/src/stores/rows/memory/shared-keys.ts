/** A key: it begins with two columns that are shared. */
type Key = readonly unknown[];

/** What each table has of the rows that agree in the first two columns of their keys, by the place of the table. */
type Group = unknown[];

/**
 * The beginnings of keys that several tables share. Rows about one event lie in five tables, and move between them:
 * their place is found once, and is the same for all.
 * @internal
 */
export class SharedKeys {
  readonly #groups = new Map<unknown, Map<unknown, Group>>();
  readonly #blank: Group;
  /** The last key and its group: the next one is mostly about the same event. */
  #first: unknown;
  #second: unknown;
  #found: Group | undefined;

  /** `tables`: how many share them. */
  constructor(tables: number) {
    this.#blank = Array.from({ length: tables }, () => undefined);
  }

  /** The number of columns that are shared. */
  get columns(): number {
    return 2;
  }

  /** What the table at a place has for the beginning of a key. */
  get(key: Key, place: number): unknown {
    return this.#find(key)?.[place];
  }

  /** Replaces what the table at a place has; `undefined`: it has nothing more. */
  set(key: Key, place: number, value: unknown): void {
    const group = this.#find(key);
    if (!group) this.#add(key, place, value);
    else {
      group[place] = value;
      if (value === undefined) this.#dropIfEmpty(key, group);
    }
  }

  /** Calls `visit` with all that the table at a place has, in no order. */
  visit(place: number, visit: (value: unknown) => void): void {
    for (const ofFirst of this.#groups.values())
      for (const group of ofFirst.values()) if (group[place] !== undefined) visit(group[place]);
  }

  #find([first, second]: Key): Group | undefined {
    if (second !== this.#second || first !== this.#first)
      this.#note(first, second, this.#groups.get(first)?.get(second));
    return this.#found;
  }

  #note(first: unknown, second: unknown, found: Group | undefined): void {
    this.#first = first;
    this.#second = second;
    this.#found = found;
  }

  #add([first, second]: Key, place: number, value: unknown): void {
    const group = this.#blank.slice();
    group[place] = value;
    let ofFirst = this.#groups.get(first);
    if (!ofFirst) {
      ofFirst = new Map();
      this.#groups.set(first, ofFirst);
    }
    ofFirst.set(second, group);
    this.#note(first, second, group);
  }

  #dropIfEmpty([first, second]: Key, group: Group): void {
    for (const value of group) if (value !== undefined) return;
    const ofFirst = this.#groups.get(first);
    ofFirst?.delete(second);
    if (ofFirst?.size === 0) this.#groups.delete(first);
    this.#note(first, second, undefined);
  }
}
