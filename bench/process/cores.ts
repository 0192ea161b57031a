import { spawnSync } from 'node:child_process'

/** Processor cores of the server and of the load; both absent where they cannot be kept apart. */
export interface Cores {
  readonly server?: number
  readonly load?: number
}

let cores: Cores = {}

/** Keeps this process, which makes the load, on one core, so that the servers have another to themselves. */
export function separateCores(): Cores {
  const [server, load] = allowedCores()
  if (server === undefined || load === undefined) return cores
  const pinned = spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)])
  if (pinned.status === 0) cores = { server, load }
  return cores
}

/** The command that runs `command` on the servers' core. */
export function onServerCore(command: string, args: readonly string[]): [string, string[]] {
  return onCore(cores.server, command, args)
}

/** The command that runs `command` on the load's core. */
export function onLoadCore(command: string, args: readonly string[]): [string, string[]] {
  return onCore(cores.load, command, args)
}

/** The command that runs `command` on any core: for programs that start others, as on a user's machine. */
export function onBothCores(command: string, args: readonly string[]): [string, string[]] {
  const { server, load } = cores
  return server === undefined || load === undefined
    ? [command, [...args]]
    : ['taskset', ['-c', `${server},${load}`, command, ...args]]
}

/** The numbers in a core list such as `0-2,5`. */
export function parseCores(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number)
    return Number.isInteger(first) ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : []
  })
}

function onCore(core: number | undefined, command: string, args: readonly string[]): [string, string[]] {
  if (core === undefined) return [command, [...args]]
  return ['taskset', ['-c', String(core), command, ...args]]
}

function allowedCores(): number[] {
  const { status, stdout } = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' })
  return status === 0 ? parseCores(stdout.slice(stdout.lastIndexOf(':') + 1).trim()) : []
}
