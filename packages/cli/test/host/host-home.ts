/** A home with a host of its own, driven by the command as a person drives it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { apiClient, findPlaces, findRunning } from '@trunkline/host/api'
import { nodePath } from '../../../../tools/lib/node-under-test.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { temporaryFolder } from '../../../host/test/temporary-folder.ts'
import { hostNodeFlags, hostVariables } from '../../src/service/host-flags.ts'
import { commandPath as program } from '../command-path.ts'
import { runInSession } from '../command-session.ts'

const upstream = programFile(new URL('../../../host/test/programs/upstream.ts', import.meta.url))

export interface Ran {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface HostHome extends AsyncDisposable {
  readonly home: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  configure(settings: unknown): void
  /** Runs the command to its end, as a person does; lines after another share a process, which `login` never does. */
  run(...args: readonly string[]): Promise<Ran>
  /** Runs any program to its end as from another login: in a session of its own, started by nothing that still runs. */
  login(...words: readonly string[]): Promise<Ran>
  /** Starts the command and leaves it running. */
  start(...args: readonly string[]): ChildProcess
  /** `up --json` with the options of Node that it would start anew with: resolves with its first event. */
  up(...args: readonly string[]): Promise<StartedHost>
  /** The same on another Node. */
  upOn(node: string): Promise<StartedHost>
}

/** A host, and its first event. */
export interface StartedHost {
  readonly ready: { [key: string]: string }
  readonly child: ChildProcess
}

const upWords = [...hostNodeFlags, program, 'up', '--json']

/** The entry of a server for tests. */
export const upstreamEntry = { command: process.execPath, args: [upstream] }

/** A home in a folder that is removed at the end; tests of sandboxes give one on disk. */
export function hostHome(folder = temporaryFolder().path): HostHome {
  const home = join(folder, 'home')
  const project = join(folder, 'shop')
  for (const path of [home, project]) mkdirSync(path, { recursive: true })
  const { PATH, NODE_COMPILE_CACHE } = process.env
  if (NODE_COMPILE_CACHE) keepCompiled(home, NODE_COMPILE_CACHE)
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home }
  const children = new Set<ChildProcess>()
  const startNode = (words: readonly string[], { variables = {}, node = nodePath } = {}) => {
    const child = spawn(node, words, { env: { ...variables, ...env }, cwd: project })
    children.add(child)
    return child
  }
  const login = async (...words: readonly string[]): Promise<Ran> => {
    // the shell ends at once: what a person types is not started by the test, which may be a caller
    const line = '(setsid "$0" "$@" 3>&-; echo $? >&3) </dev/null &'
    const child = spawn('sh', ['-c', line, ...words], {
      env,
      cwd: project,
      // the shell stays above the command, and may not belong to the group of the test either
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const texts = ['', '', '']
    for (const [at, stream] of child.stdio.slice(1).entries()) stream?.on('data', (data) => (texts[at] += data))
    await once(child, 'close')
    const [stdout = '', stderr = '', exit] = texts
    return { exit: Number(exit), stdout, stderr }
  }
  return {
    home,
    project,
    env,
    configure(settings) {
      mkdirSync(join(home, '.config/trunkline'), { recursive: true })
      writeFileSync(join(home, '.config/trunkline/trunkline.json'), JSON.stringify(settings, null, 2))
    },
    run: (...args) => runInSession({ args, env, cwd: project, input: '' }) ?? login(nodePath, program, ...args),
    login,
    start: (...args) => startNode([program, ...args]),
    up: (...args) => readyHost(startNode([...upWords, ...args], { variables: hostVariables })),
    upOn: (node) => readyHost(startNode(upWords, { variables: hostVariables, node })),
    async [Symbol.asyncDispose]() {
      await endHost(home, env)
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lets a host that takes no variables over find its code compiled, as from the second start in a home. */
function keepCompiled(home: string, compiled: string): void {
  const caches = join(home, '.cache/trunkline')
  mkdirSync(caches, { recursive: true })
  if (!existsSync(join(caches, 'compiled'))) symlinkSync(compiled, join(caches, 'compiled'))
}

/** Waits for the first event of `up --json`. */
export async function readyHost(child: ChildProcess): Promise<StartedHost> {
  if (!child.stdout || !child.stderr) throw new Error('The host has no output')
  child.stderr.pipe(process.stderr)
  let said = ''
  child.stderr.on('data', (data) => (said = `${said}${data}`.slice(-2_000)))
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume()
    return { ready: JSON.parse(line), child }
  }
  const [code, signal] = await ended
  throw new Error(`The host ended before it was ready, with ${signal ?? `code ${code}`}: ${said.trim() || 'no words'}`)
}

/** Ends the host of a home, if one runs, as `trunkline down` does. */
async function endHost(home: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const running = await findRunning(findPlaces({ platform: process.platform, home, environment }))
  if (!running) return
  await apiClient(running)
    .call('down')
    .catch(() => {})
  await until(() => !isAlive(running.pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
