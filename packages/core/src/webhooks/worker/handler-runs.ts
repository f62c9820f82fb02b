/** The handlers of a worker. Nothing of them delays a webhook: they have slots and reads of their own. */
export interface HandlerRuns {
  /** Registers the handlers, and gives new ones their past events. Rejects when the storage fails. */
  register(): Promise<void>;
  /** Deliveries may be due. */
  wake(): void;
  /** Handles what is due until nothing is. Resolves to the number of calls. */
  drain(): Promise<number>;
  /** Registers the handlers, and handles what is due, until `stopped` aborts and `wake` is called. */
  run(stopped: AbortSignal): Promise<void>;
}
