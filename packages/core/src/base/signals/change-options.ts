import type { VersionCondition, Versions } from '../runtime/if-version.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import type { Actor } from './actor.ts';

/**
 * Who makes a change.
 * @public
 */
export interface ActorOptions {
  /**
   * Who makes the change. Its signal names the actor as `by`, and so does the history of a request.
   * @defaultValue `{ type: 'host' }`
   */
  readonly actor?: Actor | undefined;
}

/**
 * Who makes a change, and of which version.
 * @public
 */
export interface ChangeOptions extends ActorOptions {
  /** Versions that the change is meant for; any other version returns `version_mismatch`. @defaultValue any */
  readonly ifVersion?: number | VersionCondition | undefined;
}

/** The names of {@link ActorOptions}. */
export const actorNames = { actor: true } as const satisfies Record<keyof ActorOptions, true>;

/** The names of {@link ChangeOptions}. */
export const changeNames = { ...actorNames, ifVersion: true } as const satisfies Record<keyof ChangeOptions, true>;

/** A change that names no actor is the host's. */
export const hostActor: Actor = { type: 'host' };

/** A change as its options describe it. */
export interface Change {
  readonly actor: Actor;
  readonly versions: Versions;
}

/** Reads who makes a change. @throws TypeError that names an unknown option. */
export const readActor = (caller: string, options: ActorOptions): Actor => {
  assertOptionNames(caller, options, actorNames);
  return options.actor ?? hostActor;
};

/** Reads the options of a change, beside others. @throws TypeError that names an unknown one. */
export const readChange = (
  caller: string,
  options: ChangeOptions,
  others: Readonly<Record<string, true>> = {},
): Change => {
  assertOptionNames(caller, options, { ...others, ...changeNames });
  return { actor: options.actor ?? hostActor, versions: options.ifVersion };
};
