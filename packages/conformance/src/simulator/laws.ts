import {
  abandonedAfterLoss,
  attemptsNeverOverlap,
  finishedIsFinished,
  logTellsAttempts,
  neverEarly,
  tenAttempts,
} from './laws/attempts.ts';
import { changesAreInTheTrail, failingIsToldOnce } from './laws/audit.ts';
import {
  disabledForAReason,
  failingIsDisabled,
  goneIsDisabled,
  openBreakerSendsNothing,
  probesGoAlone,
  retryAfterIsHeard,
} from './laws/breaker.ts';
import { endpointCap, workerCap } from './laws/capacity.ts';
import { parentsGetCopies } from './laws/copies.ts';
import { endsAreStored } from './laws/ends.ts';
import { type Law, readFacts } from './laws/facts.ts';
import { accountsTakeTurns, endpointsTakeTurns } from './laws/fairness.ts';
import { feedsHaveEveryEvent, nothingIsBehindACursor, readersGetEverything } from './laws/feeds.ts';
import { attemptedInTime, dispatchedInTime } from './laws/in-time.ts';
import {
  attemptsEndBeforeHandover,
  leaseOutlivesAttempts,
  nothingIsMissed,
  noWriteAfterFence,
  oneOwner,
  ownersAlone,
  watermarksAreTrue,
  writesToOwnShards,
} from './laws/ownership.ts';
import { heldLongEnough, heldNotForEver, oldEventsGo, pendingEventsStay, youngEventsStay } from './laws/pruning.ts';
import {
  eventsReachTheirEndpoints,
  keysMakeOneEvent,
  onlyParentsAreSent,
  rolledBackIsNeverSent,
  sameBytes,
} from './laws/publishing.ts';
import { replaysSendAgain } from './laws/replaying.ts';
import { onlyEnabledAreSent, signedWithTheSecretOfTheMoment, standardSignatures } from './laws/secrets.ts';
import { pausedAreNotSent, pausesKeepWhatWaits } from './laws/sending.ts';
import { hangingDelaysNoOther, slowHoldHalf, untriedGoAlone } from './laws/slow-endpoints.ts';
import { handedOverAtOnce, stopEnds, stopLosesNothing, takenOverInTime } from './laws/takeover.ts';
import { neverAheadOfTheClock, timestampIsOfItsEvent, timestampsIncrease } from './laws/timestamps.ts';
import { urgentIsAttempted } from './laws/urgent-attempts.ts';
import type { Trace } from './trace.ts';

/**
 * Thrown for a law that a trace violates.
 * @example
 * try {
 *   const [history] = fc.sample(historyArbitrary, 1);
 *   if (history) checkLaws(await simulate(history));
 * } catch (cause) {
 *   if (cause instanceof LawBroken) console.error(cause.law);
 * }
 * @public
 */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
  /** The name of the law. */
  readonly law: string;
  /** Its message is the name of the law and the detail. */
  constructor(law: string, detail: string) {
    super(`${law}: ${detail}`);
    this.law = law;
  }
}

/** Order: when one fault violates several laws, the most specific comes first. */
const laws: readonly Law[] = [
  noWriteAfterFence,
  changesAreInTheTrail,
  failingIsToldOnce,
  oneOwner,
  nothingIsMissed,
  writesToOwnShards,
  leaseOutlivesAttempts,
  ownersAlone,
  attemptsEndBeforeHandover,
  watermarksAreTrue,
  rolledBackIsNeverSent,
  keysMakeOneEvent,
  timestampsIncrease,
  timestampIsOfItsEvent,
  neverAheadOfTheClock,
  sameBytes,
  eventsReachTheirEndpoints,
  onlyParentsAreSent,
  parentsGetCopies,
  feedsHaveEveryEvent,
  nothingIsBehindACursor,
  readersGetEverything,
  onlyEnabledAreSent,
  pausedAreNotSent,
  pausesKeepWhatWaits,
  signedWithTheSecretOfTheMoment,
  standardSignatures,
  endpointCap,
  workerCap,
  slowHoldHalf,
  untriedGoAlone,
  attemptsNeverOverlap,
  finishedIsFinished,
  neverEarly,
  tenAttempts,
  abandonedAfterLoss,
  logTellsAttempts,
  endsAreStored,
  openBreakerSendsNothing,
  probesGoAlone,
  retryAfterIsHeard,
  disabledForAReason,
  goneIsDisabled,
  failingIsDisabled,
  takenOverInTime,
  stopLosesNothing,
  stopEnds,
  handedOverAtOnce,
  replaysSendAgain,
  dispatchedInTime,
  urgentIsAttempted,
  attemptedInTime,
  hangingDelaysNoOther,
  accountsTakeTurns,
  endpointsTakeTurns,
  heldLongEnough,
  heldNotForEver,
  youngEventsStay,
  pendingEventsStay,
  oldEventsGo,
];

/** The names of all laws. */
export const lawNames: readonly string[] = laws.map(({ name }) => name);

/**
 * Checks every law of publishing, dispatch, ownership and delivery on a trace.
 * @throws LawBroken with the name of the law.
 * @example
 * const [history] = fc.sample(historyArbitrary, 1);
 * if (history) checkLaws(await simulate(history));
 * @public
 */
export const checkLaws = (trace: Trace): void => {
  const facts = readFacts(trace);
  for (const { name, check } of laws) {
    const detail = check(facts);
    if (detail !== undefined) throw new LawBroken(name, detail);
  }
};
