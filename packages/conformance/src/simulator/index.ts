/**
 * A deterministic simulator of deliveries: random histories run against a storage, and laws that every run must
 * satisfy.
 * @module conformance/simulator
 */

export { historyArbitrary } from './arbitrary.ts';
export type { CallName } from './call-name.ts';
export type {
  History,
  MachineEvent,
  ScriptedAct,
  ScriptedAnswer,
  ScriptedEndpoint,
  ScriptedFault,
  ScriptedReader,
  ScriptedTransaction,
  SimulatedType,
} from './history.ts';
export { checkLaws, LawBroken } from './laws.ts';
export { type SimulateOptions, simulate } from './simulate.ts';
export type { Call, ProcessLife, PublishedEvent, SentPost, Trace, TracedReader } from './trace.ts';
