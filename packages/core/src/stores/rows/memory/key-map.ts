import type { SharedKeys } from './shared-keys.ts';

/** The values of the key columns of a row. @internal */
export type RowKey = readonly unknown[];

/** An entry, few entries, or entries by the next column. */
type Node<E> = E | E[] | Map<unknown, Node<E>>;

// biome-ignore lint/plugin: this file makes its nodes, and reads one for each column of each key.
const isMap = <E>(node: Node<E> | undefined): node is Map<unknown, Node<E>> => node instanceof Map;

/** Maximum number of entries that are compared one by one. */
const maxList = 8;
const none: readonly never[] = [];

/** The place of a table among those that share the beginnings of their keys. @internal */
export interface SharedPlace {
  readonly keys: SharedKeys;
  readonly place: number;
}

/**
 * Entries by key: one by one while they are few, then in maps of the first column, and of further ones where many agree
 * in those before them. A key is never joined into one text, which would be made and hashed for each look-up. What
 * begins like the keys of other maps may be kept with their entries.
 * @internal
 */
export class KeyMap<E extends object> {
  #root: Node<E> | undefined;
  readonly #length: number;
  readonly #valueAt: (entry: E, column: number) => unknown;
  readonly #shared: SharedPlace | undefined;
  /** The first column that is not shared. */
  readonly #first: number;
  #size = 0;
  /** What the last removal removed. */
  #gone: E | undefined;

  /** `valueAt`: the value of an entry in a column of its key. */
  constructor(length: number, valueAt: (entry: E, column: number) => unknown, shared?: SharedPlace) {
    this.#length = length;
    this.#valueAt = valueAt;
    this.#shared = shared;
    this.#first = shared?.keys.columns ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  /** The entry of a key. */
  get(key: RowKey): E | undefined {
    let node = this.#rootOf(key);
    let column = this.#first;
    for (; isMap(node); column++) node = node.get(key[column]);
    if (node === undefined) return undefined;
    if (!Array.isArray(node)) return this.#has(node, key, column) ? node : undefined;
    for (const entry of node) if (this.#has(entry, key, column)) return entry;
    return undefined;
  }

  /** The entries whose keys begin with these values, if they are few; `undefined`: they may be many. */
  few(prefix: RowKey): readonly E[] | undefined {
    if (prefix.length < this.#first) return undefined;
    let node = this.#rootOf(prefix);
    let column = this.#first;
    for (; isMap(node); column++) {
      if (column === prefix.length) return undefined;
      node = node.get(prefix[column]);
    }
    if (node === undefined) return none;
    const list = Array.isArray(node) ? node : [node];
    return list.filter((entry) => this.#has(entry, prefix, column, prefix.length));
  }

  /** Adds an entry, unless its key has one. Returns that one. */
  add(key: RowKey, entry: E): E | undefined {
    return this.#put(key, entry, false);
  }

  /** Adds an entry, or replaces the one of its key. */
  set(key: RowKey, entry: E): void {
    this.#put(key, entry, true);
  }

  #put(key: RowKey, entry: E, isReplacing: boolean): E | undefined {
    let map: Map<unknown, Node<E>> | undefined;
    let node = this.#rootOf(key);
    let column = this.#first;
    for (; isMap(node); column++) {
      map = node;
      node = map.get(key[column]);
    }
    let next: Node<E> = entry;
    let known: E | undefined;
    if (Array.isArray(node)) {
      const at = this.#placeIn(node, key, column);
      known = node[at];
      if (known && !isReplacing) return known;
      node[at] = entry;
      next = node.length > maxList ? this.#spread(node, column) : node;
    } else if (node !== undefined) {
      if (this.#has(node, key, column)) known = node;
      else next = [node, entry];
      if (known && !isReplacing) return known;
    }
    if (!known) this.#size++;
    if (map) map.set(key[column - 1], next);
    else this.#setRoot(key, next);
    return known;
  }

  /** Removes the entry of a key, and returns it, if there is one. */
  delete(key: RowKey): E | undefined {
    this.#gone = undefined;
    const root = this.#rootOf(key);
    const left = this.#removed(root, key, this.#first);
    if (left !== root) this.#setRoot(key, left);
    return this.#gone;
  }

  /** Calls `visit` with all entries, in no order. */
  visit(visit: (entry: E) => void): void {
    if (this.#size === 0) return;
    if (this.#shared) this.#shared.keys.visit(this.#shared.place, (root) => visitAll(root as Node<E>, visit));
    else visitAll(this.#root as Node<E>, visit);
  }

  /** What has the entries whose keys agree with this one in the shared columns. */
  #rootOf(key: RowKey): Node<E> | undefined {
    return this.#shared ? (this.#shared.keys.get(key, this.#shared.place) as Node<E> | undefined) : this.#root;
  }

  #setRoot(key: RowKey, root: Node<E> | undefined): void {
    if (this.#shared) this.#shared.keys.set(key, this.#shared.place, root);
    else this.#root = root;
  }

  #removed(node: Node<E> | undefined, key: RowKey, column: number): Node<E> | undefined {
    if (node === undefined) return undefined;
    if (isMap(node)) {
      const next = node.get(key[column]);
      const left = this.#removed(next, key, column + 1);
      if (left === undefined) node.delete(key[column]);
      else if (left !== next) node.set(key[column], left);
      return node.size > 0 ? node : undefined;
    }
    if (Array.isArray(node)) {
      const at = this.#placeIn(node, key, column);
      if (at === node.length) return node;
      this.#size--;
      this.#gone = node[at];
      node.splice(at, 1);
      return node.length > 1 ? node : node[0];
    }
    if (!this.#has(node, key, column)) return node;
    this.#size--;
    this.#gone = node;
    return undefined;
  }

  /** Whether an entry, which was found by the columns before the first of these, has the values of a key in them. */
  #has(entry: E, key: RowKey, from: number, to = this.#length): boolean {
    for (let column = from; column < to; column++) if (this.#valueAt(entry, column) !== key[column]) return false;
    return true;
  }

  /** The place of a key in a list; its length, if it is not there. */
  #placeIn(list: readonly E[], key: RowKey, column: number): number {
    let at = 0;
    while (at < list.length && !this.#has(list[at] as E, key, column)) at++;
    return at;
  }

  #spread(entries: readonly E[], column: number): Map<unknown, Node<E>> {
    const map = new Map<unknown, Node<E>>();
    for (const entry of entries) {
      const value = this.#valueAt(entry, column);
      const node = map.get(value) as E | E[] | undefined;
      if (node === undefined) map.set(value, entry);
      else if (Array.isArray(node)) node.push(entry);
      else map.set(value, [node, entry]);
    }
    return map;
  }
}

const visitAll = <E extends object>(node: Node<E>, visit: (entry: E) => void): void => {
  if (isMap(node)) for (const each of node.values()) visitAll(each, visit);
  else if (Array.isArray(node)) for (const entry of node) visit(entry);
  else visit(node);
};
