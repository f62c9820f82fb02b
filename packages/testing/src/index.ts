/**
 * For hosts and adapters to test with: a simulator of delivery, certificates and receivers.
 * @module
 */
export { type History, historyArbitrary, type ScriptedAnswer } from './simulator/history.ts';
export { checkLaws, LawBroken } from './simulator/laws.ts';
export { type SimulateOptions, simulate } from './simulator/simulate.ts';
export type { Ended, Grant, Sent, Trace } from './simulator/trace.ts';
