import type { NewAuditEntry } from '@partnerkit/core/adapter';
import type { Call } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { sendingPauses } from './sending-pauses.ts';

/** Calls of the host that change an endpoint, and resolve to whether they did. */
const changing: ReadonlySet<string> = new Set([
  'endpoints.insertEndpoint',
  'endpoints.replaceEndpoint',
  'endpoints.resumeEndpoint',
  'endpoints.deleteEndpoint',
]);

const isEntry = (argument: unknown): argument is NewAuditEntry =>
  typeof argument === 'object' && argument !== null && 'mac' in argument && 'subjectId' in argument;

/** An entry that a call was given, and whether its change was made. `undefined`: the answer does not say it. */
interface Given {
  readonly entry: NewAuditEntry;
  readonly order: number;
  readonly isMade: boolean | undefined;
}

const ofSettlement = ({
  args: [, { transitions }],
  result,
  order = 0,
}: Call<'deliveries.settle'>): readonly Given[] => {
  if (result === 'fenced' || result === undefined) return [];
  return transitions.flatMap(({ audit: entry, disable }, index) =>
    entry ? [{ entry, order, isMade: disable ? result.transitions[index]?.isDisabled : undefined }] : [],
  );
};

/** The entries that effects were given. */
const givenBy = (facts: Facts): readonly Given[] =>
  facts.effects.flatMap((call): readonly Given[] => {
    if (call.name === 'deliveries.settle') return ofSettlement(call as Call<'deliveries.settle'>);
    const { args, result, order = 0 } = call;
    if (call.name === 'sending.pause' || call.name === 'sending.resume') {
      const change = call as Call<'sending.pause' | 'sending.resume'>;
      return [{ entry: change.args[1], order: change.order ?? 0, isMade: sendingPauses(facts).changes.has(change) }];
    }
    if (call.name === 'audit.tell')
      return (args[0] as readonly NewAuditEntry[]).map((entry) => ({ entry, order, isMade: true }));
    return changing.has(call.name)
      ? (args as readonly unknown[]).filter(isEntry).map((entry) => ({ entry, order, isMade: result === true }))
      : [];
  });

const isOfChange = (type: string): boolean => type.startsWith('endpoint.') || type.startsWith('sending.');

export const changesAreInTheTrail: Law = {
  name: 'a change of an endpoint, and of a pause, has its entry in the audit trail, once, and an entry its change',
  check: (facts) => {
    const stored = new Map(facts.trace.audit.map((entry) => [entry.id, entry]));
    if (stored.size < facts.trace.audit.length) return 'an entry is stored twice';
    const given = givenBy(facts);
    const known = new Set(given.map(({ entry: { id } }) => id));
    const made = new Set(given.filter(({ isMade }) => isMade !== false).map(({ entry: { id } }) => id));
    return (
      firstWrong(
        given,
        ({ entry: { id, type, subjectId }, isMade }) =>
          isMade && !stored.has(id) && `${type} of ${subjectId} was made, and has no entry`,
      ) ??
      firstWrong(stored.values(), ({ id, type, subjectId }) =>
        !isOfChange(type) || made.has(id)
          ? undefined
          : `${type} of ${subjectId} has an entry, and was ${known.has(id) ? 'not made' : 'given by no call'}`,
      )
    );
  },
};

/** What time tells of an endpoint, whatever its health is. */
const toldByTime: ReadonlySet<string> = new Set([
  'endpoint.disable_soon',
  'endpoint.silent',
  'delivery.exhausted',
  'delivery.expired',
]);

export const failingIsToldOnce: Law = {
  name: 'an endpoint is told failing once until something else is told of it',
  check: (facts) => {
    // A call whose answer was lost is repeated with the same entry, which counts once.
    const unseen = new Map(facts.trace.audit.map(({ id, type }) => [id, type]));
    const last = new Map<string, string>();
    return firstWrong(
      givenBy(facts).toSorted((a, b) => a.order - b.order),
      ({ entry: { id, subjectId } }) => {
        const type = unseen.get(id);
        unseen.delete(id);
        if (type === undefined || toldByTime.has(type)) return undefined;
        const before = last.get(subjectId);
        last.set(subjectId, type);
        return type === 'endpoint.failing' && before === type && `${subjectId} is told failing twice in a row`;
      },
    );
  },
};
