import type { Deprecation } from '../../base/http/deprecation.ts';

/**
 * Event types by object name, as a type: `{ Invoice: 'creation' | 'payed' }`.
 * @public
 */
export type EventPairs = Readonly<Record<string, string>>;

/**
 * What the documentation says about an event type. It never changes a webhook.
 * @public
 */
export interface EventTypeInfo {
  /** What happened, as one sentence. @defaultValue none */
  readonly description?: string;
  /** Version of the payload, a whole number from 1. @defaultValue 1 */
  readonly version?: number;
  /** That endpoints should no longer select it. It is sent as before. @defaultValue no */
  readonly deprecated?: Deprecation;
}

/** The pairs of a catalogue, for checks at run time. */
export interface PairTable {
  readonly objectNames: readonly string[];
  has(objectName: string, type: string): boolean;
  typesOf(objectName: string): readonly string[];
}
