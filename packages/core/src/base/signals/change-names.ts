/** The changes of a client, as the signal `client` names them. @public */
export type ClientChangeName =
  | 'created'
  | 'updated'
  | 'imported'
  | 'secret_added'
  | 'secret_adopted'
  | 'secret_expires'
  | 'secret_revoked'
  | 'tokens_revoked'
  | 'token_revoked'
  | 'disabled'
  | 'enabled'
  | 'deleted';

/** The changes of an endpoint, as the signal `endpoint` names them. @public */
export type EndpointChangeName =
  | 'created'
  | 'imported'
  | 'updated'
  | 'enabled'
  | 'disabled'
  | 'resumed'
  | 'secret_prepared'
  | 'secret_activated'
  | 'secret_cancelled'
  | 'resealed'
  | 'test_sent'
  | 'replayed'
  | 'failed_replayed'
  | 'deleted';
