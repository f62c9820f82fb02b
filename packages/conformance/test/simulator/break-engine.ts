import type { DispatchInput, DispatchPlan } from '../../../core/src/webhooks/delivery-rules/plan-dispatch.ts';
import type { Rules } from '../../../core/src/webhooks/worker/context/rules.ts';
import type { WorkerStores } from '../../../core/src/webhooks/worker/context/worker-stores.ts';
import type { Engine } from '../../../core/src/webhooks/worker/engine.ts';
import type { EndpointLane } from '../../../core/src/webhooks/worker/memory/lane.ts';
import type { Memory } from '../../../core/src/webhooks/worker/memory/memory.ts';
import type { StepContext } from '../../../core/src/webhooks/worker/steps/step.ts';
import type { Steps } from '../../../core/src/webhooks/worker/steps/steps.ts';

export type Break = (engine: Engine) => Partial<Engine>;
type MemoryDeps = Parameters<Engine['createMemory']>[0];

export const breakRules =
  (change: (rules: Rules) => Partial<Rules>): Break =>
  ({ rules }) => ({ rules: { ...rules, ...change(rules) } });

export const breakSteps =
  (change: (steps: Steps) => Partial<Steps>): Break =>
  ({ steps }) => ({ steps: { ...steps, ...change(steps) } });

/** `change` is given the memory of each session, with what it is made of, and changes its parts in place. */
export const breakMemory =
  (change: (memory: Memory, deps: MemoryDeps) => void): Break =>
  ({ createMemory }) => ({
    createMemory: (deps) => {
      const memory = createMemory(deps);
      change(memory, deps);
      return memory;
    },
  });

/** Replaces methods of a part of the memory; `change` is given the old ones. */
export const replace = <P extends object>(part: P, change: (before: P) => Partial<P>): void => {
  Object.assign(part, change({ ...part }));
};

/** Makes the memory of other options. */
export const breakOptions =
  (change: (options: MemoryDeps['options']) => Partial<MemoryDeps['options']>): Break =>
  ({ createMemory }) => ({
    createMemory: (deps) => createMemory({ ...deps, options: { ...deps.options, ...change(deps.options) } }),
  });

export type Plan = DispatchPlan<EndpointLane>;
export type PlanInput = DispatchInput<EndpointLane>;

/** Plans dispatches otherwise. */
export const breakPlan = (change: (plan: (input: PlanInput) => Plan, input: PlanInput) => Plan): Break =>
  breakRules(({ planDispatch }) => ({
    planDispatch: ((input: PlanInput) => change(planDispatch, input)) as unknown as Rules['planDispatch'],
  }));

/** A context whose store of deliveries does something else. */
export const withDeliveries = (
  context: StepContext,
  change: (deliveries: WorkerStores['deliveries']) => Partial<WorkerStores['deliveries']>,
): StepContext => {
  const { deliveries } = context.stores;
  return { ...context, stores: { ...context.stores, deliveries: { ...deliveries, ...change(deliveries) } } };
};
