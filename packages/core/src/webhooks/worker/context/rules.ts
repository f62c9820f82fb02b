import type { DurationMs } from '../../../base/runtime/time.ts';
import { availableCapacity, updateHealth } from '../../delivery-rules/breaker.ts';
import { nextStep } from '../../delivery-rules/next-step.ts';
import { planDispatch } from '../../delivery-rules/plan-dispatch.ts';

/**
 * Whether an attempt may start: only if the lease outlives its deadline. Otherwise another worker could repeat the
 * attempt while it is in flight.
 */
const mayStart = (leaseLeft: DurationMs, deadline: DurationMs): boolean => leaseLeft >= deadline;

/** The rules of the worker: functions without state or clock. */
export interface Rules {
  readonly availableCapacity: typeof availableCapacity;
  readonly mayStart: typeof mayStart;
  readonly nextStep: typeof nextStep;
  readonly planDispatch: typeof planDispatch;
  readonly updateHealth: typeof updateHealth;
}

export const rules: Rules = { availableCapacity, mayStart, nextStep, planDispatch, updateHealth };
