import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { consoleFolder } from '@trunkline/console'
import { type ConfiguredState, type RunningHost, runHost, StoreError } from '@trunkline/host'
import { writeFileWhole } from '@trunkline/host/api'
import { describeProblem } from '@trunkline/host/config'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import { releaseWhenIdle } from '../service/release-memory.ts'
import { thisLauncher } from './installing.ts'
import { liveTable } from './live-table.ts'
import { ServerLines } from './server-lines.ts'
import { questionLines } from './show.ts'

export interface ForegroundOptions {
  readonly output: Output
  readonly signal: AbortSignal
  readonly unattended: boolean
  readonly endsWhenIdle: boolean
  /** True if a person reads the output, so that it may contain a code. */
  readonly isInteractive: boolean
  readonly port?: number
}

/** Runs the host until it is stopped; returns true if a signal stopped it. */
export async function runInForeground(options: ForegroundOptions): Promise<boolean> {
  const { output, signal } = options
  let end = (_how: 'down' | 'state gone') => {}
  const ended = new Promise<'down' | 'signal' | 'state gone'>((resolve) => {
    end = resolve
    signal.addEventListener('abort', () => resolve('signal'), { once: true })
  })
  using _releasing = releaseWhenIdle()
  await using running = await started(options, (how) => end(how))
  const table = liveTable(running, output)
  const how = await ended
  table?.[Symbol.dispose]()
  output.note('Stopping: calls under way are ended, servers are stopped')
  if (how === 'state gone') throw stateGone(running.places.state, options)
  return how === 'signal'
}

async function started(options: ForegroundOptions, end: (how: 'down' | 'state gone') => void): Promise<RunningHost> {
  const { output, unattended, endsWhenIdle, port, isInteractive } = options
  const states = new ServerLines(output)
  const problems = new Set<string>()
  let listening: RunningHost | undefined
  let isFirst = true
  try {
    return await runHost({
      directory: process.cwd(),
      console: consoleFolder,
      launcher: thisLauncher(),
      unattended,
      endsWhenIdle,
      ...(port !== undefined && { flags: { 'host.port': port } }),
      onDown: () => end('down'),
      onStateGone: () => end('state gone'),
      // where no person reads the output, the page says what to run instead of asking for a code
      ...(isInteractive &&
        !output.json &&
        !output.quiet && {
          onAcceptCode: ({ server, servers = [server], client, code }) => {
            if (client !== undefined) return output.note(`Code to give "${client}" a token in the console: ${code}`)
            const names = servers.map((name) => `"${name}"`).join(', ')
            output.note(`Code to accept ${names} in the console: ${code}`)
          },
        }),
      onListening: async (running) => {
        listening = running
        await announce(running, output, isInteractive)
        tellQuestions(running, output)
      },
      onError: (error, what) => output.warn(`${what}: ${error instanceof Error ? error.message : error}`),
      onState: (status) => states.tell(status),
      onConfig: (config) => {
        for (const problem of config.problems.map(describeProblem)) {
          if (problems.has(problem)) continue
          problems.add(problem)
          output.warn(problem)
        }
        for (const status of listening?.host.servers.status ?? []) states.tellOnce(status)
        for (const { name, client, file } of config.found) {
          output.event({ event: 'found', name, client, file }, () => `${client} has "${name}" (${file})`)
        }
        if (isFirst && (config.servers.length === 0 || config.servedFolder !== undefined)) tellDefaults(config, output)
        isFirst = false
      },
    })
  } catch (error) {
    throw explained(error)
  }
}

/** The first thing that is said: where it is, and what opens it. */
async function announce({ host, api, places }: RunningHost, output: Output, isInteractive: boolean): Promise<void> {
  // the same principal as before a restart, so that it can ask what it did
  const token = await host.principals.renew('command')
  const tokenFile = join(places.state, 'command-token')
  await writeFileWhole(tokenFile, `${token}\n`)
  const page = host.proof.pageOrigin ?? host.url
  const console = new URL('/', page).href
  const ready = { event: 'ready', mcp: host.url, tokenFile, console }
  output.event(ready, () => ['Clients connect to ', styled('strong', host.url)])
  output.note(
    `Calls there need a token: this command has one in ${tokenFile}; for a client: ${typed('clients add NAME')}`,
  )
  // a log that a program reads must hold no code
  if (!isInteractive) return output.note(`Open the console: ${typed('open')}`)
  output.note(`Open the console within a minute: ${new URL(`/#code=${api.pages.makeCode().code}`, page).href}`)
}

/** Says what callers get while nothing is configured, and the next command. */
function tellDefaults({ servedFolder }: ConfiguredState, output: Output): void {
  const served = servedFolder === undefined ? 'nothing is served' : `the folder ${servedFolder} is served, read-only`
  output.note(`No server is configured; until one is, ${served}`)
  output.note(`Take over the servers of your editors: ${typed('init')}`)
  output.note(`Or add one: ${typed('add')}`)
}

/** A command as it can be typed where this one was started: what npm started may not be on the search path. */
function typed(command: string): string {
  return `${process.env.npm_lifecycle_event === undefined ? '' : 'npx '}trunkline ${command}`
}

function tellQuestions({ host }: RunningHost, output: Output): void {
  host.inbox.addDoor({
    name: 'up',
    isLocal: true,
    present: (question) => {
      const { key: _key, principalId: _id, project: _project, by: _by, ...shown } = question
      output.event({ event: 'question', question: shown }, () => questionLines(shown).flat().slice(0, 3))
      output.note('Answer it: trunkline inbox')
    },
    withdraw: (id, by) => output.event({ event: 'withdrawn', id, by }, () => `question ${id} is settled: ${by}`),
  })
}

function explained(error: unknown): unknown {
  if (error instanceof StoreError) {
    const details = { code: 'Store', exit: exitCodes.unreachable }
    if (error.code !== 'Locked') return new Failure(error.message, details)
    const owner = /process \d+/.exec(error.message)?.[0] ?? 'another process'
    return new Failure(`A host runs already (${owner})`, {
      ...details,
      hint: 'See it: trunkline status, or trunkline open. End it: trunkline down',
    })
  }
  if (error instanceof Error && error.message.startsWith('Cannot listen')) {
    return new Failure(error.message, { code: 'Port', exit: exitCodes.unreachable })
  }
  return error
}

/** Says why the host ends; also where one in the background is looked for, because its log was deleted with the rest. */
function stateGone(state: string, { endsWhenIdle }: ForegroundOptions): Failure {
  const why = `The state of this host in "${state}" was deleted or replaced while it ran, so it ends`
  const hint = 'Start it again: trunkline up'
  if (endsWhenIdle) {
    try {
      mkdirSync(state, { mode: 0o700 })
    } catch {
      // it is there again, or the folder above it is gone too
    }
    try {
      appendFileSync(join(state, 'host.log'), `${why}. ${hint}\n`, { mode: 0o600 })
    } catch {
      // there is no place left to say it
    }
  }
  return new Failure(why, { code: 'StateGone', exit: exitCodes.unreachable, hint })
}
