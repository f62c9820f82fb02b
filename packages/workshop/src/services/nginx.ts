import { chown, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, onFreePort } from './free-port.ts';
import { findProgram } from './program.ts';
import { openServiceHome } from './service-home.ts';
import { unprivilegedUser } from './system-user.ts';

/**
 * Options of nginx.
 * @public
 */
export interface NginxOptions {
  /** The HTTP server behind it, on 127.0.0.1. */
  readonly to: {
    /** Its port. */
    readonly port: number;
  };
  /**
   * Directives of its `server` block, each without a semicolon.
   * @defaultValue gzip for JSON, problem documents and scripts, beside HTML
   */
  readonly directives?: readonly string[];
  /** Allow `apt-get install` when there is no `nginx` and this process is root on Debian. @defaultValue false */
  readonly install?: boolean;
}

/**
 * A started nginx.
 * @public
 */
export interface Nginx {
  /** Its origin, such as `http://127.0.0.1:20000`. */
  readonly url: string;
  /** Stops it. */
  stop(): Promise<void>;
}

const compress = ['gzip on', 'gzip_types application/json application/problem+json text/javascript'];

/**
 * Starts a real nginx on a free port, as a reverse proxy of a running HTTP server. It stops soon after the calling
 * process ends, even if it was killed. Linux and macOS.
 * @example
 * const app = express().use(expressRouter(kit.routes)).listen(3000, '127.0.0.1');
 * const nginx = await startNginx({ to: { port: 3000 }, install: true });
 * const answer = await fetch(`${nginx.url}/api/v1/partner/jwks.json`);
 * console.log(answer.headers.get('content-encoding'));
 * await nginx.stop();
 * app.close();
 * @public
 */
export const startNginx = async ({ to, directives = compress, install = false }: NginxOptions): Promise<Nginx> => {
  const program = await findProgram({
    title: 'nginx',
    names: ['nginx'],
    debianPackage: 'nginx-light',
    installed: '/usr/sbin/nginx',
    install,
  });
  const user = await unprivilegedUser();
  const home = await openServiceHome({ name: 'nginx', parent: tmpdir(), user, quit: 'SIGTERM' });
  const file = join(home.folder, 'nginx.conf');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const start = async (port: number): Promise<void> => {
    const settings = `daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${folders.map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${directives.map((directive) => `${directive};`).join('\n    ')}
    location / {
      proxy_pass http://127.0.0.1:${to.port};
      proxy_set_header Host $http_host;
    }
  }
}
`;
    await writeFile(file, settings, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
    const args = ['-p', home.folder, '-c', file, '-e', 'stderr'];
    await home.start(program, args, { ready: () => accepts(port) });
  };
  try {
    const port = await onFreePort(start);
    return { url: `http://127.0.0.1:${port}`, stop: home.close };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
