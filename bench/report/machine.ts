import { readFileSync } from 'node:fs'
import { arch, cpus, platform, release } from 'node:os'
import { join } from 'node:path'
import type { Cores } from '../process/cores.ts'
import { benchFolder } from '../process/places.ts'

/** Machine and versions of a run, without which its figures mean nothing. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly system: string
  readonly node: string
  readonly apart: boolean
  readonly generator: string
  readonly versions: Readonly<Record<string, string>>
}

/** This machine, with the installed version of every peer. */
export function describeMachine(cores: Cores, generator: string): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${release().split('-')[0]} ${arch()}`,
    node: process.version,
    apart: cores.server !== undefined,
    generator,
    versions: installedVersions(),
  }
}

/** A machine in one line. */
export function machineLine({ processor, cores, system, node, apart, generator }: Machine): string {
  const pinned = apart ? 'server and load each on a core of its own' : 'server and load share the cores'
  return `${processor}, ${cores} cores, ${system}, Node ${node}; load by ${generator}; ${pinned}`
}

function installedVersions(): Record<string, string> {
  const { dependencies } = read(join(benchFolder, 'package.json'))
  const names = Object.keys(dependencies ?? {})
  return Object.fromEntries(
    names.map((name) => [name, read(join(benchFolder, 'node_modules', name, 'package.json')).version ?? 'unknown']),
  )
}

function read(file: string): { dependencies?: Record<string, string>; version?: string } {
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof read>
}
