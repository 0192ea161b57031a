import { execFile } from 'node:child_process'
import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { programPath } from '@trunkline/base/find-program'
import type { ProgramLaunch } from '../launch.ts'
import { TriedPrograms } from './tried-programs.ts'

/** Node as it is started, and its name for the switch that confines it. */
interface FoundNode {
  readonly path: string
  readonly version: readonly [number, number]
  /** The script, where the command is one that names Node as its interpreter. */
  readonly script: string | undefined
}

const tryMs = 10_000
/** The first line of a script, as far as it matters. */
const firstLineBytes = 256

/** Versions of Node programs; undefined if a program prints none. */
const versions = new TriedPrograms(versionOf)

/** The Node that runs a program, or why Node's permission model cannot confine it. */
export async function nodeProblem(launch: ProgramLaunch): Promise<FoundNode | { readonly problem: string }> {
  const { command, base, cwd, sandbox } = launch
  const search = { path: base?.PATH ?? process.env.PATH, cwd }
  const found = programPath(command, search)
  const script = found !== undefined && isNodeScript(found) ? realpathSync(found) : undefined
  const path = script === undefined ? found : programPath('node', search)
  if (path === undefined || (script === undefined && !/^node(?:\.exe)?$/.test(basename(path))))
    return { problem: `"${command}" is no program of Node` }
  const version = await versions.of(path)
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version) ?? []
  if (Number(major) < 20 || major === undefined)
    return {
      problem: `"${path}" is ${version.trim() || 'unknown'}, which has no permission model; use Node 20 or newer`,
    }
  if (sandbox?.network === false && Number(major) < 25)
    return { problem: `Node's permission model cannot take the network away in ${version.trim()}` }
  return { path, version: [Number(major), Number(minor)], script }
}

/** The program with only the permissions of its sandbox: no other programs, threads or native code, which escape it. */
export function withNodePermissions({ path, version, script }: FoundNode, launch: ProgramLaunch): ProgramLaunch {
  const { writable = [], network = true } = launch.sandbox ?? {}
  const [major, minor] = version
  const isStable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)
  const flags = [
    isStable ? '--permission' : '--experimental-permission',
    '--allow-fs-read=*',
    // a folder stands for itself alone, and with a star for all that is below it
    ...writable.flatMap((folder) => [`--allow-fs-write=${folder}`, `--allow-fs-write=${folder}/*`]),
    ...(network && major >= 25 ? ['--allow-net'] : []),
    `--import=${namesRefusals}`,
  ]
  return { ...launch, command: path, args: [...flags, ...(script === undefined ? [] : [script]), ...launch.args] }
}

/** Prints refusals on stderr: the error itself does not name the subject. If Node does not tell, it does nothing. */
const namesRefusals = `data:text/javascript,${encodeURIComponent(
  [
    "import { subscribe } from 'node:diagnostics_channel'",
    "for (const kind of ['fs', 'child', 'worker', 'addon', 'net'])",
    "  subscribe('node:permission-model:' + kind, ({ permission, resource }) => {",
    "    process.stderr.write('ERR_ACCESS_DENIED: ' + permission + ', \\'' + resource + '\\'\\n')",
    '  })',
  ].join('\n'),
)}`

function versionOf(path: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: tryMs }, (error, stdout) => resolve(error ? '' : stdout))
  })
}

function isNodeScript(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(firstLineBytes)
    readSync(file, start, 0, firstLineBytes, 0)
    return /^#!.*\bnode\b/.test(start.toString('latin1').split('\n', 1)[0] ?? '')
  } finally {
    closeSync(file)
  }
}
