import { printedBy, type System, thisSystem } from '@trunkline/base/system-programs'

/** Path of a file that a process holds: its directory, its program or its input; undefined where the system does not tell. */
export async function heldFile(
  pid: number,
  which: 'cwd' | 'txt' | '0',
  system: System = thisSystem,
): Promise<string | undefined> {
  if (system.platform === 'win32') return undefined
  const fields = await printedBy(system, 'lsof', ['-nP', '-a', '-p', String(pid), '-d', which, '-Fn'])
  // the program comes before the libraries that it has loaded
  return /^n(\/.*)$/m.exec(fields)?.[1]
}

/** Lines of the connections with a port, each process before its own; '' where there are none, or the system does not tell. */
export function connectionsAt(port: number, system: System = thisSystem): Promise<string> {
  return printedBy(system, 'lsof', ['-nP', `-iTCP:${port}`, '-Fpn'])
}

/** The processes in the fields of lsof that have a connection from one port to another. */
export function pidsIn(
  fields: string,
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] {
  const end = new RegExp(`^n.*:${from}->.*:${to}$`)
  const pids = new Set<number>()
  let pid = 0
  for (const line of fields.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1))
    else if (end.test(line)) pids.add(pid)
  }
  return [...pids]
}

/** The process that listens on a port; undefined if there is none, or if the system does not tell. */
export async function listenerAt(port: number, system: System = thisSystem): Promise<number | undefined> {
  if (system.platform === 'win32') return undefined
  const [, pid] =
    /^p(\d+)$/m.exec(await printedBy(system, 'lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'])) ?? []
  return pid === undefined ? undefined : Number(pid)
}
