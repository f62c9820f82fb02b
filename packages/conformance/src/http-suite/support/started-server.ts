/** A server that was started for the suite. @public */
export interface StartedServer {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Stops the server; called once, after the last case. */
  close(): Promise<void>;
}
