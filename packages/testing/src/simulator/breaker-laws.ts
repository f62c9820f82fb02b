import { day, type EndpointState, type EpochMs, type Health, judge, roomFor, type Turn } from '@partnerkit/core';
import { wasOutOfReach } from './family-laws.ts';
import type { Ended, Grant, Happened, Trace } from './trace.ts';

/** What workers allow for one endpoint unless they are told otherwise. */
const perEndpoint = 8;
const heldFor = 14 * day;

/** All that the storage did, in its order. */
type Step = { readonly grant: Grant } | { readonly end: Ended } | { readonly happened: Happened };
const orderOf = (step: Step): number =>
  'grant' in step ? step.grant.order : 'end' in step ? step.end.order : step.happened.order;
const stepsOf = ({ grants, ended, happened }: Trace): readonly Step[] =>
  [
    ...grants.map((grant) => ({ grant })),
    ...ended.map((end) => ({ end })),
    ...happened.map((each) => ({ happened: each })),
  ].sort((a, b) => orderOf(a) - orderOf(b));

/** An endpoint, as core's rules make it of what the storage did. */
interface Model {
  state: EndpointState | undefined;
  health: Health | undefined;
  /** Since when it is not enabled. */
  since: EpochMs;
  readonly leased: Map<string, Grant>;
  readonly expected: Turn[];
  readonly told: Turn[];
  expired: number;
}

/** Goes through a life. `wrong` is the first grant, and the first expiry, that should not be. */
const liveAgain = (trace: Trace) => {
  const models = new Map<string, Model>();
  const leases = new Map<string, Grant>();
  const wrong: { leasing?: string; expiry?: string } = {};
  const modelOf = (endpointId: string): Model => {
    const known = models.get(endpointId);
    if (known) return known;
    const made: Model = {
      state: 'enabled',
      health: undefined,
      since: 0,
      leased: new Map(),
      expected: [],
      told: [],
      expired: 0,
    };
    models.set(endpointId, made);
    return made;
  };
  const turnTo = (model: Model, state: EndpointState | undefined, at: EpochMs): void => {
    if ((model.state === 'enabled') === (state === 'enabled')) {
      model.state = state;
      return;
    }
    Object.assign(model, { state, health: undefined, since: at });
  };
  const endLease = (deliveryId: string, lease?: string): Model | undefined => {
    const grant = leases.get(deliveryId);
    if (!grant || (lease !== undefined && grant.lease !== lease)) return undefined;
    leases.delete(deliveryId);
    const model = modelOf(grant.endpointId);
    model.leased.delete(deliveryId);
    return model;
  };
  const lease = (grant: Grant): void => {
    const { at, endpointId, deliveryId, process } = grant;
    const model = modelOf(endpointId);
    const living = [...model.leased.values()].filter(({ until }) => until > at).length;
    if (model.state !== 'enabled')
      wrong.leasing ??= `${process} was given a delivery of an endpoint that is not enabled`;
    else if (roomFor(model.health, living, perEndpoint, at) === 0)
      wrong.leasing ??= `${process} was given a delivery of an endpoint with ${living} leases and ${JSON.stringify(model.health)} at ${at}`;
    leases.set(deliveryId, grant);
    model.leased.set(deliveryId, grant);
  };
  const end = ({ deliveryId, lease: token, settlement, at }: Ended): void => {
    const model = endLease(deliveryId, token);
    if (!settlement || model?.state !== 'enabled') return;
    const { health, turn } = judge(model.health, settlement, at);
    model.health = health;
    if (turn) model.expected.push(turn);
    if (turn?.kind === 'endpoint_disabled') turnTo(model, 'disabled_by_breaker', at);
  };
  const happen = (happened: Happened): void => {
    const { at } = happened;
    if (happened.kind === 'abandoned') endLease(happened.abandoned.deliveryId);
    else if (happened.kind === 'turned') {
      const { accountId: _account, endpointId, unfinished: _count, ...turn } = happened.turn;
      modelOf(endpointId).told.push(turn);
    } else if (happened.kind === 'changed') turnTo(modelOf(happened.endpointId), happened.state, at);
    else {
      const model = modelOf(happened.endpointId);
      model.expired += happened.deliveries;
      if (model.state === 'enabled' || at - model.since < heldFor)
        wrong.expiry ??= `${happened.deliveries} deliveries expired ${at - model.since} ms after their endpoint was disabled`;
    }
  };
  for (const step of stepsOf(trace)) {
    if ('grant' in step) lease(step.grant);
    else if ('end' in step) end(step.end);
    else happen(step.happened);
  }
  return { models, wrong };
};

const relived = new WeakMap<Trace, ReturnType<typeof liveAgain>>();
/** Once for all laws. */
const relive = (trace: Trace): ReturnType<typeof liveAgain> => {
  const known = relived.get(trace) ?? liveAgain(trace);
  relived.set(trace, known);
  return known;
};

/** @internal */
export const pausesHold = (trace: Trace): string | undefined => relive(trace).wrong.leasing;

/** A process that dies, or a lost answer, takes a signal with it. */
const unharmed = ({ history: { faults, crashes } }: Trace): boolean => faults === 0 && crashes.length === 0;

/** @internal */
export const turnsAreTold = (trace: Trace): string | undefined => {
  for (const [id, { expected, told }] of relive(trace).models) {
    if (JSON.stringify(expected) !== JSON.stringify(told))
      return `endpoint ${id} should turn ${JSON.stringify(expected)} and turned ${JSON.stringify(told)}`;
    for (const kind of ['endpoint_failing', 'endpoint_recovered', 'endpoint_disabled'] as const) {
      const turns = told.filter((turn) => turn.kind === kind).length;
      const signals = trace.signals.filter((signal) => signal.kind === kind && signal.endpointId === id).length;
      if (signals > turns || (unharmed(trace) && signals < turns))
        return `endpoint ${id} turned ${kind} ${turns} times, with ${signals} signals`;
    }
  }
  return undefined;
};

/** @internal */
export const heldExpireInTime = (trace: Trace): string | undefined => {
  const { models, wrong } = relive(trace);
  if (wrong.expiry) return wrong.expiry;
  for (const { id, state } of trace.endpoints) {
    // With a deleted endpoint all the others expired as well.
    if (state === undefined) continue;
    const expired = trace.deliveries.filter(
      ({ endpointId, state, log }) => endpointId === id && state === 'expired' && !wasOutOfReach(log),
    ).length;
    const told = models.get(id)?.expired ?? 0;
    if (expired !== told) return `${expired} deliveries of endpoint ${id} expired, and ${told} were told`;
    const signalled = trace.signals.reduce(
      (sum, signal) =>
        sum +
        (signal.kind === 'delivery_expired' && signal.why === 'held_too_long' && signal.endpointId === id
          ? signal.deliveries
          : 0),
      0,
    );
    if (signalled > told || (unharmed(trace) && signalled < told))
      return `${told} deliveries of endpoint ${id} expired, and ${signalled} were signalled`;
  }
  return undefined;
};
