/** Options of storage on PostgreSQL. @public */
export interface PostgresOptions {
  /** The migrated schema. @defaultValue 'partnerkit' */
  readonly schema?: string;
  /**
   * Whether notifications name the account, the id and the type of an event and its object, so that an idle worker
   * dispatches it without reading it first. Every role that may connect to the database can listen to them. `false`:
   * they name numbers of shards.
   * @defaultValue true
   */
  readonly announce?: boolean;
}
