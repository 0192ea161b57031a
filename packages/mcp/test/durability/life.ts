/** A server that lives again after each death, and a client of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { nodePath } from '../../../../tools/lib/node-under-test.ts'
import { connect, type Target } from '../../src/connect.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { ann } from '../tasks/render.ts'
import { front } from './front.ts'
import type { Setup } from './setup.ts'

/** The server as one file, because it is started often. */
async function bundled(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trunkline-server-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const input = join(import.meta.dirname, 'server.ts')
  await using bundle = await rolldown({ input, platform: 'node', external: ['ws'], transform: { target: 'es2022' } })
  await bundle.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  const file = join(dir, 'server.mjs')
  await keepCompiled(file, dir)
  return file
}

/** Ends the server once in peace: only then it keeps what it has compiled, which each start after that one finds. */
async function keepCompiled(file: string, dir: string): Promise<void> {
  const setup: Setup = { file: join(dir, 'tasks.sqlite'), counter: 0 }
  const child = spawn(nodePath, ['--no-warnings', file, JSON.stringify(setup)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
}

const program = bundled()
const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }

async function argumentsFor(setup: Setup): Promise<string[]> {
  return ['--no-warnings', await program, JSON.stringify(setup)]
}

/** A transport, and the revision that is spoken over it. */
export interface Way {
  readonly revision: '2026-07-28' | '2025-11-25'
  readonly over: 'stdio' | 'HTTP'
}

const everyWay: readonly Way[] = (['2026-07-28', '2025-11-25'] as const).flatMap((revision) => [
  { revision, over: 'stdio' },
  { revision, over: 'HTTP' },
])

/**
 * Ways to a server that is killed. A Node that is not that of the tests has each transport and each revision once, with the
 * sessions of the older one in the store: messages of a revision are the same on every Node.
 */
export const ways = everyWay.filter(
  ({ revision, over }) => nodePath === process.execPath || (revision === '2025-11-25') === (over === 'HTTP'),
)

/** The server that is reached in a way. */
export async function lifeOver({ revision, over }: Way): Promise<Life> {
  return over === 'stdio' ? overStdio(revision) : overHttp(revision)
}

/** Processes of one server, one after the other, and the way to them. */
export interface Life extends AsyncDisposable {
  /** Starts the next process, and gives a client that is connected to it. */
  next(setup: Setup): Promise<Client>
  /** Resolves when the process has ended. */
  ended(): Promise<unknown>
  /** Ends the process as `kill -9` does. */
  kill(): void
}

export type Client = Awaited<ReturnType<typeof connected>>

function connected(target: Target, revision: string, onSent?: (body: string) => void) {
  const http = onSent && { fetch: spying(onSent) }
  const answers = { elicitation: ann, onWarning() {} }
  return connect(target, { revisions: [revision], extensions: [tasks()], ...answers, ...(http && { http }) })
}

function spying(onSent: (body: string) => void): typeof fetch {
  return (url, init) => {
    onSent(String(init?.body))
    return fetch(url, init)
  }
}

/** Over stdio the client starts the process, so that each has a client of its own. */
function overStdio(revision: string): Life {
  let client: Client | undefined
  let pid = 0
  return {
    async next(setup) {
      await client?.close()
      client = await connected({ command: nodePath, args: await argumentsFor(setup), env }, revision)
      const [content] = (await client.tools.call('pid', {})).content
      pid = Number((content as { text: string }).text)
      return client
    },
    ended: async () => client?.whenClosed,
    kill: () => {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // it is gone already
      }
    },
    async [Symbol.asyncDispose]() {
      await client?.close()
    },
  }
}

/** Over HTTP one client sees all of them, at one address; `onSent` is told what it sends. */
export async function overHttp(revision: string, onSent?: (body: string) => void): Promise<Life> {
  const address = await front()
  let client: Client | undefined
  let child: ChildProcess | undefined
  const end = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    async next(setup) {
      await end()
      const args = await argumentsFor({ ...setup, http: true })
      child = spawn(nodePath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const lines = createInterface(child.stdout as NodeJS.ReadableStream)
      ;[address.behind] = await once(lines, 'line')
      client ??= await connected(address.url, revision, onSent)
      return client
    },
    ended: async () => child && child.exitCode === null && child.signalCode === null && once(child, 'exit'),
    kill: () => void child?.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      await client?.close()
      await end()
      await address[Symbol.asyncDispose]()
    },
  }
}
