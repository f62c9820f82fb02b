const loopbackHost = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Whether a URL is HTTP to this machine: to `localhost` or to a literal loopback address. */
export const isLoopbackHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHost.test(hostname);
