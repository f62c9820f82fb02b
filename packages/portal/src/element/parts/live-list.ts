import type { ReactiveController } from 'lit';
import type { PortalPart } from './portal-part.ts';

/**
 * A list that grows at its top without moving what a person reads: new items wait while the pointer or the focus is in
 * the list, or its top is out of sight.
 * @internal
 */
export class LiveList<T> implements ReactiveController {
  readonly #host: PortalPart;
  readonly #keyOf: (item: T) => string;
  #shown: ReadonlySet<string> | undefined;

  constructor(host: PortalPart, keyOf: (item: T) => string) {
    this.#host = host;
    this.#keyOf = keyOf;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#shown = undefined;
  }

  /** Shows everything with the next answer. */
  release(): void {
    this.#shown = undefined;
  }

  get #isInUse(): boolean {
    const list = this.#host.querySelector<HTMLElement>('.live');
    if (!list) return false;
    const { activeElement } = list.getRootNode() as ShadowRoot;
    return list.matches(':hover') || list.contains(activeElement) || list.getBoundingClientRect().top < 0;
  }

  /** The items to show now, and how many wait. */
  split(items: readonly T[]): { readonly shown: readonly T[]; readonly waiting: number } {
    const known = this.#shown;
    const isNew = (item: T): boolean => known !== undefined && !known.has(this.#keyOf(item));
    const first = items.findIndex((item) => !isNew(item));
    // Nothing of the former page is left: there is nothing to keep in its place.
    if (first > 0 && this.#isInUse) return { shown: items.slice(first), waiting: first };
    this.#shown = new Set(items.map(this.#keyOf));
    return { shown: items, waiting: 0 };
  }
}
