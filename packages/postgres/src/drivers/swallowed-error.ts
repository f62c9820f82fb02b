/** The failure of a transaction whose COMMIT the server answers with ROLLBACK. */
export const swallowedError = (cause?: unknown): Error =>
  Object.assign(
    new Error(
      'partnerkit: the transaction was rolled back: a statement in it failed, and its error was swallowed. ' +
        'Let such an error reject, or run the statement in a savepoint and roll back to it (25P02).',
      { cause },
    ),
    { code: '25P02' },
  );
