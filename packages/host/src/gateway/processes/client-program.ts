import { access, readlink } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { callerChain, isBridge, isWrapper } from './caller-chain.ts'
import { heldFile } from './lsof.ts'
import { type SeenProcess, seeProcess } from './process-table.ts'

/** The program that starts `trunkline stdio` for a client. */
export interface ClientProgram {
  /** Its path, and that of its script, without the parts that an update changes. */
  readonly key: string
  /** The same with those parts. */
  readonly path: string
  /** The directory that it works in, where that can be seen. */
  readonly folder?: string
}

const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|java|electron)(?:\.exe)?$/i

/** Finds the program behind a bridge, past wrappers; undefined where it cannot be seen. */
export async function clientProgram(bridge: number, system: System = thisSystem): Promise<ClientProgram | undefined> {
  const chain = await callerChain(bridge, { system })
  const last = chain.at(-1)
  // a person's shell is no part of a caller, and starts one all the same
  const program =
    chain.find((one) => !isBridge(one) && !isWrapper(one)) ?? (last && (await seeProcess(last.parent, system)))
  if (!program || program.pid <= 1) return undefined
  const path = await pathOf(program, system)
  const folder = await folderOf(program.pid, system)
  return { key: withoutVersions(path), path, ...(folder !== undefined && { folder }) }
}

/** The directory that a process works in; undefined where it cannot be seen. */
export function folderOf(pid: number, system: System = thisSystem): Promise<string | undefined> {
  return linkOf(pid, 'cwd', system)
}

async function pathOf({ pid, words: [first = '', ...args] }: SeenProcess, system: System): Promise<string> {
  // the kernel marks a file that an update has replaced
  const found = (await linkOf(pid, 'exe', system))?.replace(/ \(deleted\)$/, '') ?? first
  if (!interpreters.test(basename(found))) return found
  // options come first, and a word after one may be its value: all of them tell programs apart
  const at = args.findIndex((word) => !word.startsWith('-'))
  const script = args[at]
  if (script === undefined) return found
  return [found, ...args.slice(0, at), await absoluteIn(script, await folderOf(pid, system))].join(' ')
}

/** The absolute path of a script in the directory of its process; the word itself if there is no such file. */
async function absoluteIn(script: string, folder = '/'): Promise<string> {
  const path = resolve(folder, script)
  return access(path).then(
    () => path,
    () => script,
  )
}

async function linkOf(pid: number, name: 'exe' | 'cwd', system: System): Promise<string | undefined> {
  if (system.platform === 'linux') return readlink(`/proc/${pid}/${name}`).catch(() => undefined)
  return heldFile(pid, name === 'exe' ? 'txt' : 'cwd', system)
}

/**
 * A path without the parts that change with an update: versions of nvm, Homebrew and others, revisions of snap, digests
 * of caches, and the folder where an AppImage is mounted.
 */
export function withoutVersions(path: string): string {
  return path
    .replace(/\/tmp\/\.mount_([^/]*?)[A-Za-z0-9]{6}\//g, '/tmp/.mount_$1*/')
    .replace(/(\/snap\/[^/]+\/)(?:x?\d+)(?=\/)/g, '$1*')
    .replace(/(?<![A-Za-z0-9])[0-9a-f]{12,64}(?![A-Za-z0-9])/g, '*')
    .replace(/v?\d+(?:\.\d+)+(?:[-+_][0-9A-Za-z.]+)*/g, '*')
}
