import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Ticks of the CPU in a second, as Linux reports them. */
const hertz = 100;

/** A process: its parent, and the ticks that it and its ended children have used. */
interface Process {
  readonly parent: number;
  readonly ticks: number;
}

const readProcess = (pid: number): Process | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, ofUser, ofSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return { parent: Number(fields[1]), ticks: user + system + ofUser + ofSystem };
  } catch {
    // It has ended.
    return undefined;
  }
};

/** CPU seconds that each server and all its processes have used, by its port. The servers run on this machine. */
export const readServerCpu = async (pool: pg.Pool): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await pool.query(
    "select n.nodeport as port, r.result as pid from run_command_on_all_nodes($$select split_part(pg_read_file('postmaster.pid'), chr(10), 1)$$) r join pg_dist_node n using (nodeid) order by n.nodeport",
  );
  const processes = readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    return found ? [{ pid: Number(name), ...found }] : [];
  });
  return new Map(
    rows.map(({ port, pid }) => {
      const own = processes.filter((each) => each.pid === Number(pid) || each.parent === Number(pid));
      if (own.length === 0) throw new Error(`The server at port ${port} does not run on this machine.`);
      return [port, own.reduce((sum, { ticks }) => sum + ticks, 0) / hertz];
    }),
  );
};
