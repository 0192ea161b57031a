import { posix, win32 } from 'node:path'
import type { Machine } from '../config/machine.ts'
import type { ClientFile, KnownClient } from './client.ts'

/** A file of a client at its place on this machine. */
export interface PlacedFile extends ClientFile {
  /** Absolute. */
  readonly location: string
}

/** Places of a client's files on a machine; those of projects only when a project is given. */
export function placeFiles(client: KnownClient, machine: Machine, project?: string): PlacedFile[] {
  return client.files.value.flatMap((file) => {
    const path = pathOn(machine, file)
    if (path === undefined) return []
    if (file.scope === 'user') return [{ ...file, location: expand(path, machine, file.moved) }]
    return project === undefined ? [] : [{ ...file, location: join(machine, project, path) }]
  })
}

function pathOn({ platform }: Machine, { path }: ClientFile): string | undefined {
  if (typeof path === 'string') return path
  // other systems keep their files as Linux does
  const known = platform === 'darwin' || platform === 'win32' ? platform : 'linux'
  return path[known]
}

/** Replaces `~` and `%VARIABLE%`, and heeds the variables that move folders. */
export function expand(path: string, machine: Machine, moved?: ClientFile['moved']): string {
  const { platform, home, environment } = machine
  for (const { variable, instead } of moved === undefined ? [] : [moved].flat()) {
    const elsewhere = environment[variable]
    if (elsewhere) return join(machine, elsewhere, path.slice(instead.length))
  }
  const settings = environment.XDG_CONFIG_HOME
  if (settings && platform !== 'win32' && platform !== 'darwin' && path.startsWith('~/.config/')) {
    return join(machine, settings, path.slice('~/.config/'.length))
  }
  if (path.startsWith('~')) return join(machine, home, path.slice(1))
  return path.replace(/^%APPDATA%/, () => environment.APPDATA ?? join(machine, home, 'AppData/Roaming'))
}

function join({ platform }: Machine, ...parts: readonly string[]): string {
  return platform === 'win32' ? win32.join(...parts) : posix.join(...parts)
}
