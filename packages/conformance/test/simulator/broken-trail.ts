import { changesAreInTheTrail, failingIsToldOnce } from '../../src/simulator/laws/audit.ts';
import { type BrokenStore, type Memory, onSettle } from './broken-store.ts';

const endpoints =
  (change: (endpoints: Memory['endpoints'], audit: Memory['audit']) => Partial<Memory['endpoints']>) =>
  (storage: Memory): Memory => ({
    ...storage,
    endpoints: { ...storage.endpoints, ...change(storage.endpoints, storage.audit) },
  });

/** Storages whose audit trail says something else than what was changed. */
export const brokenTrail: readonly BrokenStore[] = [
  {
    how: 'a change of an endpoint has no entry',
    law: changesAreInTheTrail,
    break: endpoints(({ replaceEndpoint }) => ({ replaceEndpoint: (endpoint) => replaceEndpoint(endpoint) })),
  },
  {
    how: 'a change that was refused has an entry',
    law: changesAreInTheTrail,
    kind: 'changes',
    break: endpoints(({ replaceEndpoint, deleteEndpoint }, { tell }) => ({
      replaceEndpoint: async (endpoint, entry) => {
        const isMade = await replaceEndpoint(endpoint, entry);
        if (!isMade && entry) await tell([entry]);
        return isMade;
      },
      deleteEndpoint: async (accountId, endpointId, entry) => {
        const isMade = await deleteEndpoint(accountId, endpointId, entry);
        if (!isMade && entry) await tell([entry]);
        return isMade;
      },
    })),
  },
  {
    how: 'an endpoint is disabled by its failures without an entry',
    law: changesAreInTheTrail,
    break: onSettle(({ transitions, ...settlement }) => ({
      ...settlement,
      transitions: transitions.map(({ audit, ...rest }) => ({ ...rest, ...(audit && !rest.disable ? { audit } : {}) })),
    })),
  },
  {
    how: 'what time brings is told, and not stored',
    law: changesAreInTheTrail,
    break: (storage) => ({ ...storage, audit: { ...storage.audit, tell: async () => {} } }),
  },
  {
    how: 'an endpoint that delivers again is told failing',
    law: failingIsToldOnce,
    break: onSettle(({ transitions, ...settlement }) => ({
      ...settlement,
      transitions: transitions.map(({ audit, ...rest }) => ({
        ...rest,
        ...(audit ? { audit: { ...audit, type: rest.disable ? audit.type : 'endpoint.failing' } } : {}),
      })),
    })),
  },
];
