/**
 * Event types by object name: 4 names, 23 types, 32 pairs (specification §6.2 to §6.4). The compiler and the run-time check
 * read this one table.
 * @public
 */
export const catalogue = {
  ModelRequestPayment: ['creation', 'update', 'deletion'],
  ModelRequestSecurityDeposit: ['creation', 'update', 'deletion'],
  RequestPayment: ['creation', 'update', 'payed', 'cancel', 'transaction_failed'],
  RequestSecurityDeposit: [
    'creation',
    'update',
    'cancel',
    'finish',
    'global_error',
    'litigation',
    'transaction_failed',
    'new_transaction_success',
    'new_transaction_manual_cancel',
    'user_register',
    'deposit_success',
    'check_in',
    'check_out',
    'cashout',
    'cashout_cancel',
    'cashout_failed',
    'cashout_reclamation',
    'cashout_new_offer',
    'cashout_recipient_accept',
    'cashout_owner_deny_reclamation',
    'cashout_done',
  ],
} as const;

/** The class name of an object, as `objectName` carries it. @public */
export type ObjectName = keyof typeof catalogue;

/** An event type; with a name given, one that this object may have. @public */
export type EventType<N extends ObjectName = ObjectName> = (typeof catalogue)[N][number];

/** The four object names. @public */
export const objectNames = Object.keys(catalogue) as readonly ObjectName[];

/** The 23 event types. @public */
export const eventTypes: readonly EventType[] = [...new Set(Object.values(catalogue).flat())];

/** Whether the catalogue has this pair. @public */
export const isEventPair = (objectName: string, type: string): boolean =>
  Object.hasOwn(catalogue, objectName) && (catalogue[objectName as ObjectName] as readonly string[]).includes(type);
