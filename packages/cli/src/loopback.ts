/** Whether a URL names this machine: `localhost`, or a literal loopback address. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
